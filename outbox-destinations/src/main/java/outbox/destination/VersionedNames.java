package outbox.destination;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.NonRetryableException;

/** Names of the form {@code <module>.<aggregate>.<event>.vN}. */
final class VersionedNames {

  private static final int LONGEST = 127;
  private static final String FORM =
      "of the form <module>.<aggregate>.<event>.vN, of lower-case letters, digits and hyphens,"
          + " shorter than 128 characters";
  private static final String WORD = "[a-z0-9]+(?:-[a-z0-9]+)*";
  private static final Pattern VALID =
      Pattern.compile("%1$s\\.%1$s\\.%1$s\\.v[1-9][0-9]*".formatted(WORD));

  private VersionedNames() {}

  static boolean isValid(String name) {
    return name.length() <= LONGEST && VALID.matcher(name).matches();
  }

  static NameRule checking(NameRule rule) {
    if (rule instanceof NameTemplate template
        && template.isConstant()
        && !isValid(template.text())) {
      throw new IllegalArgumentException("name must be %s, got: %s".formatted(FORM, template));
    }
    return event -> required(rule.nameFor(event), event);
  }

  private static String required(@Nullable String name, EventEnvelope event) {
    if (name == null || !isValid(name)) {
      throw new NonRetryableException(
          "name for event %s of type %s must be %s, got: %s"
              .formatted(event.eventId(), event.eventType(), FORM, name));
    }
    return name;
  }
}
