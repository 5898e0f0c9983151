package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.WithNull;
import outbox.EventEnvelope;
import outbox.properties.Texts;

class FailureTextProperties {

  private static final EventEnvelope EVENT = EventEnvelope.ofJson("T", "{}");

  @Property
  void whateverARedactorSaysIsOneLineThatSaysSomething(
      @ForAll("any") @WithNull String redacted,
      @ForAll @IntRange(min = 1, max = 60) int maxLength) {
    FailureText text = new FailureText((event, failure) -> redacted, maxLength);

    String told = text.of(EVENT, new IllegalStateException("refused"));

    assertThat(told).isNotBlank().hasSizeLessThanOrEqualTo(maxLength);
    assertThat(told.chars().noneMatch(Character::isISOControl)).isTrue();
  }

  @Provide
  Arbitrary<String> any() {
    return Texts.any();
  }
}
