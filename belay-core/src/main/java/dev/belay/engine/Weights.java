package dev.belay.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Smooth weighted round robin over the lanes that want a lease call (the algorithm of nginx's upstream module). */
final class Weights {

    private Weights() {}

    static @Nullable Lane next(List<Lane> lanes, long now) {
        Lane best = null;
        var total = 0L;
        for (var lane : lanes) {
            if (lane.isHungry(now)) {
                total += lane.weight();
                lane.credit(lane.credit() + lane.weight());
                if (best == null || lane.credit() > best.credit()) {
                    best = lane;
                }
            }
        }
        if (best != null) {
            best.credit(best.credit() - total);
        }
        return best;
    }
}
