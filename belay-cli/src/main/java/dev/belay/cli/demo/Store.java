package dev.belay.cli.demo;

import dev.belay.job.Addresses;

/** Where the demo's jobs are. */
record Store(String address, String namespace) {

    /** The address as it may be shown. */
    String shown() {
        return Addresses.withoutSecrets(address);
    }
}
