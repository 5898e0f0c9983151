package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.destination.MessageFormat;
import outbox.destination.NameRule;

class RecordFactoryTest {

  private final EventEnvelope event =
      EventEnvelope.builder("OrderPlaced").tenantId("acme").payloadJson("{}").build();

  @Test
  void aRuleForNamesSaysTheTopic() {
    NameRule rule = NameRule.of("shop.{tenant}.order-placed.v1").versioned();

    assertThat(new RecordFactory(rule, MessageFormat.raw()).record(event).topic())
        .isEqualTo("shop.acme.order-placed.v1");
  }

  @Test
  void anEventThatARuleHasNoTopicForIsBuried() {
    NameRule nameless = sent -> null;

    assertThatThrownBy(() -> new RecordFactory(sent -> null, MessageFormat.raw()).record(event))
        .isInstanceOf(NonRetryableException.class)
        .hasMessageContaining("the rule for topics has none for event " + event.eventId());
    assertThatThrownBy(() -> new RecordFactory(nameless, MessageFormat.raw()).record(event))
        .isInstanceOf(NonRetryableException.class);
  }
}
