package dev.belay.tck.model;

import java.util.ArrayList;
import java.util.List;

/** What can happen, each as often as its weight says. */
final class Operations {

    private Operations() {}

    static List<Runnable> all(World world) {
        var client = new ClientOperations(world);
        var worker = new WorkerOperations(world);
        var people = new PeopleOperations(world);
        var all = new ArrayList<Runnable>();
        add(all, 14, client::enqueue);
        add(all, 3, client::sendAgain);
        add(all, 1, client::sendOldNumber);
        add(all, 6, worker::register);
        add(all, 8, worker::heartbeat);
        add(all, 10, worker::leaseAll);
        add(all, 4, worker::leaseSuspects);
        add(all, 2, worker::leaseWithOldNumber);
        add(all, 6, worker::begin);
        add(all, 20, worker::settle);
        add(all, 3, worker::reconcile);
        add(all, 1, worker::endSession);
        add(all, 10, worker::reap);
        add(all, 4, worker::promote);
        add(all, 3, worker::prune);
        add(all, 14, () -> world.advance(1));
        add(all, 3, () -> world.advance(2 + world.random.nextInt(5)));
        add(all, 4, people::cancel);
        add(all, 3, people::runNow);
        add(all, 3, people::edit);
        add(all, 5, people::replay);
        add(all, 2, people::discard);
        add(all, 2, people::replace);
        add(all, 1, people::pauseOrResume);
        add(all, 1, people::tell);
        add(all, 1, people::configure);
        add(all, 2, people::cells);
        return all;
    }

    private static void add(List<Runnable> all, int weight, Runnable operation) {
        for (var i = 0; i < weight; i++) {
            all.add(operation);
        }
    }
}
