package outbox.destination;

import java.util.Objects;
import java.util.regex.Pattern;
import outbox.internal.Require;

/** Names of destinations stand in the table, in logs and in metrics, and so are plain. */
final class DestinationNames {

  static final int LONGEST = 32;

  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  private DestinationNames() {}

  static String required(String name) {
    Objects.requireNonNull(name, "name of the destination must not be null");
    Require.check(
        name.length() <= LONGEST && VALID.matcher(name).matches(),
        "name of the destination",
        "1 to %d letters, digits, dots, hyphens and underscores".formatted(LONGEST),
        name);
    return name;
  }
}
