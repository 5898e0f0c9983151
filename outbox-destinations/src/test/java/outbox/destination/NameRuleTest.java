package outbox.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.NonRetryableException;

class NameRuleTest {

  private final EventEnvelope event =
      EventEnvelope.builder("OrderPlaced")
          .eventId("id-1")
          .aggregateType("Order")
          .aggregateId("order-42")
          .tenantId("acme")
          .header("region", "eu")
          .payloadJson("{}")
          .build();
  private final EventEnvelope bare = EventEnvelope.ofJson("OrderPlaced", "{}");

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "orders; orders",
        "{aggregateType}.{eventType}; Order.OrderPlaced",
        "orders.{tenant}; orders.acme",
        "{aggregateId}-{header:region}; order-42-eu",
        "{header:topic|eventType}; OrderPlaced",
        "{header:region|eventType}; eu",
        "{header:topic|header:queue|'other'}; other",
        "{ tenant | 'none' }!; acme!"
      })
  void aTemplateIsFilledFromTheEvent(String template, String name) {
    assertThat(NameRule.of(template).nameFor(event)).isEqualTo(name);
  }

  @Test
  void whatAnEventSaysIsEncodedAndTheTemplateIsNot() {
    NameRule rule =
        NameRule.of(
            "https://example.com/hooks/{tenant}?type={eventType}",
            value -> URLEncoder.encode(value, StandardCharsets.UTF_8));
    EventEnvelope hostile =
        EventEnvelope.builder("a&b").tenantId("../x/y").payloadJson("{}").build();

    assertThat(rule.nameFor(hostile)).isEqualTo("https://example.com/hooks/..%2Fx%2Fy?type=a%26b");
  }

  @Test
  void anEventWithoutTheValueIsBuriedWithTheReason() {
    assertThatThrownBy(() -> NameRule.of("orders.{tenant|header:tenant}").nameFor(bare))
        .isInstanceOf(NonRetryableException.class)
        .hasMessageContaining(bare.eventId())
        .hasMessageContaining("has no tenant or header tenant")
        .hasMessageContaining("orders.{tenant|header:tenant}");
  }

  @Test
  void aRuleIsAFunctionForThoseWhoTakeAny() {
    Function<EventEnvelope, String> topic = NameRule.of("orders.order.placed.v1").versioned();

    assertThat(topic.apply(event)).isEqualTo("orders.order.placed.v1");
  }

  @Test
  void anEventWithoutANameThatMustHaveAVersionIsBuriedWithTheReason() {
    NameRule nothing = event -> null;

    assertThatThrownBy(() -> nothing.versioned().nameFor(bare))
        .isInstanceOf(NonRetryableException.class)
        .hasMessageContaining(bare.eventId())
        .hasMessageEndingWith("got: null");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "orders.{tenant",
        "orders}",
        "{}",
        "{color}",
        "{header:}",
        "{tenant|}",
        "{''}"
      })
  void aTemplateThatCannotBeReadIsRefusedAtOnce(String template) {
    assertThatThrownBy(() -> NameRule.of(template))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("template must be");
  }

  @Test
  void namesWithAVersionAreCheckedWhenAsked() {
    NameRule rule = NameRule.of("{header:topic}").versioned();

    assertThat(rule.nameFor(withTopic("org.organization.created.v1")))
        .isEqualTo("org.organization.created.v1");
    assertThat(rule.nameFor(withTopic("org-2.big-unit.moved.v12"))).endsWith("v12");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.organization.created",
        "Org.organization.created.v1",
        "org.organization.created.v0",
        "org.organization.created.v",
        "org.organization.v1",
        "org..created.v1",
        "org.unit.sub.created.v1",
        "org.organization.created .v1",
        "org.organization.-created.v1"
      })
  void otherNamesAreRefused(String name) {
    assertThatThrownBy(() -> NameRule.of("{header:topic}").versioned().nameFor(withTopic(name)))
        .isInstanceOf(NonRetryableException.class)
        .hasMessageContaining("<module>.<aggregate>.<event>.vN");
    assertThatThrownBy(() -> NameRule.of(name).versioned())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name);
  }

  @Test
  void aNameOf128CharactersIsTooLong() {
    String module = "m".repeat(128 - ".a.e.v1".length());

    assertThat(VersionedNames.isValid(module + ".a.e.v1")).isFalse();
    assertThat(VersionedNames.isValid(module.substring(1) + ".a.e.v1")).isTrue();
  }

  private static EventEnvelope withTopic(String topic) {
    return EventEnvelope.builder("T").topic(topic).payloadJson("{}").build();
  }
}
