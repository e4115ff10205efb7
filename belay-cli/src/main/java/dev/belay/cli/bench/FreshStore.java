package dev.belay.cli.bench;

import dev.belay.broker.Broker;
import dev.belay.cli.shell.Problem;
import dev.belay.cli.shell.StoreOptions;
import dev.belay.job.Addresses;

/** A store to be measured. */
final class FreshStore {

    private FreshStore() {}

    /** Opens it where nothing lies in the namespace yet. */
    static Broker open(String address, String namespace) {
        var opened = StoreOptions.open(address, namespace);
        try {
            if (opened.admin().queues().isEmpty()) {
                return opened;
            }
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
        opened.close();
        throw Problem.wrongUse(
                "namespace '" + namespace + "' of " + Addresses.withoutSecrets(address) + " is in use already",
                "Give a fresh --broker or --namespace: what lies there would be measured too.");
    }
}
