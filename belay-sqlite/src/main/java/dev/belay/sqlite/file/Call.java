package dev.belay.sqlite.file;

import dev.belay.jdbc.SqlWork;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A caller that waits for its work to be committed. */
final class Call<C, T> {

    private final SqlWork<C, T> work;
    private final Thread caller = Thread.currentThread();

    private @Nullable T result;
    private @Nullable Throwable error;
    private volatile boolean done;

    Call(SqlWork<C, T> work) {
        this.work = work;
    }

    void run(C context) throws SQLException {
        result = work.run(context);
    }

    /** Has the answer ready for its caller, who is to be woken. */
    void complete() {
        done = true;
    }

    void fail(Throwable cause) {
        error = cause;
        complete();
    }

    boolean isDone() {
        return done;
    }

    void wake() {
        LockSupport.unpark(caller);
    }

    @SuppressWarnings("NullAway") // the work's own answer, null only where the work answers null
    T result() {
        if (error instanceof RuntimeException e) {
            // One failure may answer many callers: each learns where it waited.
            throw e;
        }
        if (error instanceof Error e) {
            throw e;
        }
        if (error != null) {
            throw new IllegalStateException("unexpected: " + error, error);
        }
        return result;
    }
}
