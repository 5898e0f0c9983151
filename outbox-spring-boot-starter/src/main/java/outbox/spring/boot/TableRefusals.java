package outbox.spring.boot;

import java.sql.SQLException;
import outbox.jdbc.OutboxStoreException;
import outbox.jdbc.TableName;
import outbox.jdbc.internal.Reason;

/** What is wrong with the tables of an outbox, and what to do about it. */
record TableRefusals(Settings settings) {

  RefusedException missing(String database, TableName table, SQLException cause) {
    return new RefusedException(
        "The outbox table %s does not exist.".formatted(table),
        "Give %s to Flyway or Liquibase; or have the application create what is missing: %s=always."
            .formatted(scripts(database, table), settings.property("schema.initialize")),
        cause);
  }

  /** The table is there, but not what else the kind of delivery needs. */
  RefusedException incomplete(String database, TableName table, OutboxStoreException cause) {
    return new RefusedException(
        "With %s the outbox needs more than its table %s: %s."
            .formatted(settings.kind(), table, cause.getMessage()),
        "Run schema/%s-ordered.sql, from the jar of outbox-jdbc%s, or give it to Flyway or Liquibase. The application itself builds no index on a table that is there, because nobody could write to it meanwhile; on PostgreSQL CREATE INDEX CONCURRENTLY lets them."
            .formatted(database, inPlaceOfDefault(table)),
        cause);
  }

  /** MySQL says the same of a table that isn't there. */
  RefusedException denied(String database, TableName table, Exception cause) {
    boolean needsMore = settings.kind().needsOrderedTables();
    return new RefusedException(
        "The database user of the application may not read the outbox table %s%s."
            .formatted(table, needsMore ? ", or those that order needs besides" : ""),
        "Let the owner GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO that user%s, and on PostgreSQL USAGE of the schema. If there is no such table, create it with %s."
            .formatted(
                table,
                needsMore ? ", likewise for every outbox_ table beside it" : "",
                scripts(database, table)),
        cause);
  }

  RefusedException different(String database, TableName table, SQLException cause) {
    return new RefusedException(
        "There is a table %s, but it is no outbox: it has no column event_id.".formatted(table),
        "Set %s to another name, or create the table with %s."
            .formatted(settings.property("table"), scripts(database, table)),
        cause);
  }

  /** It was to be created, and the database refused. */
  RefusedException uncreated(String database, TableName table, OutboxStoreException failure) {
    String elsewhere =
        "Have somebody else run %s, or give it to Flyway or Liquibase, and set %s=never"
            .formatted(scripts(database, table), settings.property("schema.initialize"));
    SQLException cause = failure.getCause() instanceof SQLException sql ? sql : new SQLException();
    if (table.schema() != null && Reason.isMissingSchema(cause)) {
      return new RefusedException(
          "The schema %s, which %s is to stand in, does not exist."
              .formatted(table.schema(), table),
          "Create it, as in CREATE SCHEMA %s, or set %s to a table of another one."
              .formatted(table.schema(), settings.property("table")),
          failure);
    }
    if (Reason.isDenied(cause)) {
      return new RefusedException(
          "The outbox table %s, or what %s needs besides, does not exist, and the database user of the application may not create it."
              .formatted(table, settings.kind()),
          elsewhere + "; or let the user create tables there.",
          failure);
    }
    return new RefusedException(
        "The outbox table %s, or what %s needs besides, could not be created: %s."
            .formatted(table, settings.kind(), failure.getMessage()),
        elsewhere + ".",
        failure);
  }

  private String scripts(String database, TableName table) {
    String script = "schema/" + database;
    return (settings.kind().needsOrderedTables()
            ? "%s.sql and %s-ordered.sql".formatted(script, script)
            : script + ".sql")
        + ", from the jar of outbox-jdbc"
        + inPlaceOfDefault(table);
  }

  private static String inPlaceOfDefault(TableName table) {
    return table.equals(TableName.DEFAULT)
        ? ""
        : " with %s in the place of %s".formatted(table, TableName.DEFAULT);
  }
}
