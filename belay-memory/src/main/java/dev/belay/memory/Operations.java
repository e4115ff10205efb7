package dev.belay.memory;

/** The rules of the broker over one store. Each method of each of them is one step, made while the store is locked. */
final class Operations {

    final Store store;
    final Enqueuing enqueuing;
    final Leasing leasing;
    final Settling settling;
    final Sessions sessions;
    final Promoting promoting;
    final Reaping reaping;
    final Pruning pruning;
    final JobActions jobs;
    final QueueActions queues;
    final Listing listing;

    Operations(Store store) {
        this.store = store;
        var moves = new Moves(store);
        enqueuing = new Enqueuing(store, moves);
        promoting = new Promoting(store, moves);
        leasing = new Leasing(store, moves, promoting);
        settling = new Settling(store, moves, enqueuing);
        sessions = new Sessions(store, moves, settling);
        reaping = new Reaping(store, moves);
        pruning = new Pruning(store, moves);
        jobs = new JobActions(store, moves, enqueuing);
        queues = new QueueActions(store);
        listing = new Listing(store, moves);
    }
}
