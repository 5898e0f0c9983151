package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import outbox.faults.node.Mode;
import outbox.faults.world.Operator;
import outbox.faults.world.World;

/** The database ends claims half-way, because they take too long. */
class F21StatementTimeoutTest extends DatabaseScenario {

  private static final Duration SLOW_CLAIMS = Duration.ofSeconds(4);

  private static final String TIMED_OUT = "(?s).*SQLState (57014|70100).*";

  /** Renewals may time out, too, and more than once. */
  private static final Duration LEASE = Duration.ofSeconds(15);

  @Test
  void claimThatIsEndedHalfWayClaimsNothing() throws Exception {
    protocol.about(
        "200 events/s for 100 keys, 2 nodes, MULTI",
        "20ms for each row that is claimed and 300ms for each statement, for 4s");
    World world = world();
    Operator operator = new Operator(world.database());
    String url =
        Operator.withSetting(
            world.database().url(), "statement_timeout=300", "max_statement_time=0.3");
    outage(
            world,
            world.relay(Mode.MULTI).url(url).lease(LEASE),
            world.writer(200, 100),
            () -> {
              slowDownClaims(operator);
              world.awaitTime(System.nanoTime(), SLOW_CLAIMS);
              operator.execute(
                  "DROP TRIGGER slow_claim" + (operator.isPostgres() ? " ON outbox_event" : ""));
            })
        .noRepeats();
    assertThat(world.logs()).as("logs").anyMatch(log -> log.matches(TIMED_OUT));
  }

  private static void slowDownClaims(Operator operator) {
    if (operator.isPostgres()) {
      operator.execute(
          """
          CREATE FUNCTION slow_claim() RETURNS TRIGGER LANGUAGE plpgsql AS $$
          BEGIN
            IF NEW.locked_by IS NOT NULL AND NEW.locked_by IS DISTINCT FROM OLD.locked_by THEN
              PERFORM pg_sleep(0.02);
            END IF;
            RETURN NEW;
          END $$
          """,
          """
          CREATE TRIGGER slow_claim BEFORE UPDATE ON outbox_event
          FOR EACH ROW EXECUTE FUNCTION slow_claim()
          """);
    } else {
      operator.execute(
          """
          CREATE TRIGGER slow_claim BEFORE UPDATE ON outbox_event FOR EACH ROW
          IF NEW.locked_by IS NOT NULL AND NOT NEW.locked_by <=> OLD.locked_by THEN
            DO SLEEP(0.02);
          END IF
          """);
    }
  }
}
