package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DelayedEventTest {

  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private static EventEnvelope.Builder builder() {
    return EventEnvelope.builder("T").payloadJson("{}");
  }

  @Test
  void eventIsNotHeldBackUnlessAsked() {
    assertThat(builder().build().availableAt()).isNull();
    assertThat(builder().deliverAfter(Duration.ZERO).build().availableAt()).isNull();
  }

  @Test
  void momentIsKeptAsItWasGiven() {
    for (Instant moment : new Instant[] {Instant.MIN, Instant.EPOCH.plusNanos(1), LATEST}) {
      assertThat(builder().availableAt(moment).build().availableAt()).isEqualTo(moment);
    }
  }

  @Test
  void delayIsCountedFromTheBuild() {
    Duration delay = Duration.ofHours(2);
    Instant before = Clock.systemUTC().instant();

    EventEnvelope event = builder().deliverAfter(delay).build();

    assertThat(event.availableAt())
        .isBetween(before.plus(delay).minusMillis(1), Clock.systemUTC().instant().plus(delay));
  }

  @Test
  void missingAndNegativeTimesAreRefused() {
    assertThatThrownBy(() -> builder().availableAt(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("availableAt must not be null");
    assertThatThrownBy(() -> builder().deliverAfter(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("deliverAfter must not be null");
    assertThatThrownBy(() -> builder().deliverAfter(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("deliverAfter must be zero or positive, got: PT-0.000000001S");
  }

  @Test
  void onlyOneOfBothMayBeSet() {
    assertThatThrownBy(
            () -> builder().availableAt(LATEST).deliverAfter(Duration.ofSeconds(1)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "at most one of availableAt and deliverAfter must be set, got: both for event type T");
  }

  @Test
  void timesThatNoDatabaseCouldHoldAreRefused() {
    for (Instant moment : new Instant[] {LATEST.plusNanos(1), Instant.MAX}) {
      assertThatThrownBy(() -> builder().availableAt(moment))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("availableAt must be at most " + LATEST + ", got: " + moment);
    }
    for (Duration delay :
        new Duration[] {Duration.ofDays(8000 * 366), Duration.ofSeconds(Long.MAX_VALUE)}) {
      assertThatThrownBy(() -> builder().deliverAfter(delay).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("deliverAfter must be over by " + LATEST + ", got: " + delay);
    }
  }
}
