/** Effects that happen once, however often the job that asks for them is delivered: what the ledger keeps, and for whom. */
@NullMarked
package dev.belay.once;

import org.jspecify.annotations.NullMarked;
