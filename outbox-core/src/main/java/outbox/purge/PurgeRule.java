package outbox.purge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import outbox.internal.Require;
import outbox.spi.EventArchiver;
import outbox.spi.EventPurger;
import outbox.spi.PurgeRequest;
import outbox.spi.PurgeRequest.Scope;
import outbox.util.Nullable;

/** One kind of events, how long they are kept, and what deletes a batch of them. */
record PurgeRule(String events, Duration retention, EventPurger purger) {

  /** How long each kind is kept; null: for ever. */
  record Retentions(
      Duration done,
      @Nullable Duration dead,
      @Nullable Duration appendOnly,
      EventArchiver archiver) {

    Retentions {
      Require.notNegative("retention", done);
      if (dead != null) {
        Require.notNegative("deadRetention", dead);
      }
      if (appendOnly != null) {
        Require.positive("appendOnlyRetention", appendOnly);
      }
      Require.given("archiver", archiver);
    }

    private boolean needSelection() {
      return dead != null || appendOnly != null || archiver != EventArchiver.NONE;
    }
  }

  /** A purger that can't tell DONE from DEAD does as it always did, if nothing more is asked. */
  static List<PurgeRule> of(Retentions retentions, EventPurger purger) {
    if (!purger.isSelective()) {
      Require.check(
          !retentions.needSelection(),
          "purger",
          "selective if deadRetention, appendOnlyRetention or archiver is set",
          purger.getClass().getName());
      return List.of(new PurgeRule("DONE and DEAD", retentions.done(), purger));
    }
    List<PurgeRule> rules = new ArrayList<>();
    rules.add(selective("DONE", Scope.DONE, retentions.done(), purger, retentions.archiver()));
    if (retentions.dead() != null) {
      rules.add(selective("DEAD", Scope.DEAD, retentions.dead(), purger, retentions.archiver()));
    }
    if (retentions.appendOnly() != null) {
      rules.add(
          selective(
              "unclaimed",
              Scope.UNCLAIMED,
              retentions.appendOnly(),
              purger,
              retentions.archiver()));
    }
    return rules;
  }

  private static PurgeRule selective(
      String events, Scope scope, Duration retention, EventPurger purger, EventArchiver archiver) {
    return new PurgeRule(
        events,
        retention,
        (connection, before, limit) ->
            purger.purge(connection, new PurgeRequest(scope, before, limit, archiver)));
  }
}
