package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.util.ClassUtils;

/** With Flyway on the class path, where no other test has it. */
class FlywayTest {

  /** Where Spring Boot 3.5 and 4 have it. */
  private static final List<String> FLYWAY =
      List.of(
          "org.springframework.boot.autoconfigure.flyway.FlywayAutoConfiguration",
          "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration");

  private static Class<?>[] flyway() {
    return FLYWAY.stream()
        .filter(name -> ClassUtils.isPresent(name, null))
        .map(name -> ClassUtils.resolveClassName(name, null))
        .toArray(Class<?>[]::new);
  }

  /** A migration makes the schema that the table stands in. */
  @Test
  void theOutboxComesAfterTheMigrations() {
    Applications.listening()
        .withConfiguration(AutoConfigurations.of(flyway()))
        .withPropertyValues(
            "spring.flyway.locations=classpath:outbox/spring/boot/migrations",
            "outbox.table=billing.outbox_event")
        .run(
            context -> {
              assertThat(context).hasNotFailed().hasBean("flyway");
              Applications.write(context, "OrderPlaced", "{\"orderId\":1}");
              Orders orders = context.getBean(Orders.class);
              Applications.until(() -> !orders.placed.isEmpty());
            });
  }
}
