package dev.belay.docs;

import static dev.belay.docs.GettingStarted.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.Belay;
import dev.belay.docs.GettingStarted.Charge;
import dev.belay.once.Effect;
import dev.belay.testkit.TestBelay;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** How users test their own code. */
class TestkitTest {

    private static final class Shop {
        void placeOrder(Belay belay, long orderId) {
            belay.enqueue(CHARGE.with(new Charge(orderId, "19.90")).key("order-" + orderId));
        }
    }

    @Test
    void anOrderIsChargedOnce() {
        var shop = new Shop();
        var charged = new ArrayList<Long>();

        // snippet: testkit
        try (var belay = TestBelay.create()) {
            shop.placeOrder(belay.client(), 42);

            belay.assertEnqueued(CHARGE).withKey("order-42").once();
            belay.handle(CHARGE, (charge, context) -> charged.add(charge.orderId()));
            belay.runAll();
        }
        // end

        assertThat(charged).containsExactly(42L);
    }

    @Test
    void anOrderIsChargedOnceAlsoByARetry() {
        var charged = new ArrayList<String>();

        // snippet: testkit-ledger
        try (var belay = TestBelay.create()) {
            belay.client().enqueue(CHARGE.with(new Charge(42, "19.90")).key("order-42"));
            belay.handle(CHARGE, (charge, context) -> {
                context.once(Effect.of("order-" + charge.orderId(), Void.class), key -> {
                    charged.add(key);
                    return null;
                });
                if (context.attempt() == 1) {
                    throw new IOException("died after the charge");
                }
            });
            belay.runFor(Duration.ofMinutes(1));
        }
        // end

        assertThat(charged).containsExactly("order-42");
    }
}
