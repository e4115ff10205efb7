package dev.belay.sqlite;

import dev.belay.jdbc.Statements;
import dev.belay.sql.step.Namespace;
import dev.belay.sqlite.file.Writer;

/** Makes what the work of one transaction of the writer shares. */
record SqliteTransactions(Namespace namespace) implements Writer.TransactionFactory<SqliteTx> {

    @Override
    public SqliteTx begin(Statements statements) {
        return SqliteTx.ofWriter(statements, namespace);
    }

    @Override
    public void rolledBack() {
        namespace.rolledBack();
    }
}
