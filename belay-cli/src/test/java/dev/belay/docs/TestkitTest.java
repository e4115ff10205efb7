package dev.belay.docs;

import static dev.belay.docs.GettingStarted.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.Belay;
import dev.belay.docs.GettingStarted.Charge;
import dev.belay.testkit.TestBelay;
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
}
