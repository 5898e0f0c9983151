package outbox.spring.boot;

import java.util.EnumSet;
import java.util.Set;

/** How the events of a table are delivered, if they are: what decides which properties count. */
enum Kind {
  MULTI("outbox.mode=multi"),
  SINGLE_ACTIVE("outbox.mode=multi with outbox.relay.single-active=true"),
  SINGLE("outbox.mode=single"),
  ORDERED("outbox.mode=ordered"),
  NOTHING("outbox.mode=writer-only");

  static final Set<Kind> DELIVERING = EnumSet.complementOf(EnumSet.of(NOTHING));
  static final Set<Kind> POLLING = EnumSet.of(MULTI, SINGLE);
  static final Set<Kind> SHARING = EnumSet.of(MULTI, SINGLE_ACTIVE, ORDERED);

  private final String setting;

  Kind(String setting) {
    this.setting = setting;
  }

  /** By the mode alone: whether the relay is switched on is another question. */
  static Kind of(OutboxProperties.Each properties) {
    return switch (properties.mode()) {
      case SINGLE -> SINGLE;
      case ORDERED -> ORDERED;
      case WRITER_ONLY -> NOTHING;
      case MULTI -> Boolean.TRUE.equals(properties.relay().singleActive()) ? SINGLE_ACTIVE : MULTI;
    };
  }

  /** Leases of partitions need tables of their own. */
  boolean needsOrderedTables() {
    return this == SINGLE_ACTIVE || this == ORDERED;
  }

  /** What a user wrote, or could have written, to have this. */
  @Override
  public String toString() {
    return setting;
  }
}
