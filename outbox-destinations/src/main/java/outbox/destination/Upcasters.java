package outbox.destination;

import java.time.DateTimeException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.EventListener;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.internal.ErrorText;
import outbox.internal.Require;

/**
 * Brings the payloads of events that were written by older versions up to date before they are
 * delivered: step by step, from the version in {@link EventHeaders#SCHEMA_VERSION} to the one that
 * no step leads on from. An event without that header is left as it is, unless {@link
 * Builder#unversioned} says which version it has. What is in the table stays as it is. Steps are
 * for text: an event that one leads on from and whose bytes are not UTF-8 is DEAD. Immutable.
 *
 * <pre>{@code
 * Upcasters upcasters =
 *     Upcasters.builder()
 *         .step("OrderPlaced", "1", "2", json -> addCurrency(json))
 *         .step("OrderPlaced", "2", "3", json -> renameTotal(json))
 *         .build();
 * MessageFormat format = upcasters.before(MessageFormat.raw());
 * }</pre>
 */
public final class Upcasters {

  /**
   * Changes the text of a payload. What it throws says what becomes of the event:
   *
   * <ul>
   *   <li>an {@link OutboxException}, however it is wrapped, what it says: {@link
   *       NonRetryableException}, {@link outbox.RetryAfterException}, {@link
   *       outbox.DeferException}, or a failed try.
   *   <li>what speaks of a wrong text or a wrong step, which are the same at every try, DEAD at
   *       once: {@link IllegalArgumentException}, {@link DateTimeException}, {@link
   *       ArithmeticException}, {@link ClassCastException}, {@link IndexOutOfBoundsException},
   *       {@link NoSuchElementException}, {@link NullPointerException}, also for a result of null,
   *       and {@link UnsupportedOperationException}.
   *   <li>anything else, such as an {@link java.io.IOException}, a failed try: a step may ask
   *       others, who may be away. A step whose library says by one that the text is wrong, as
   *       Jackson 2 does, had better throw a {@link NonRetryableException}.
   * </ul>
   */
  @FunctionalInterface
  public interface Text {
    String upcast(String payload) throws Exception;
  }

  private static final Set<Class<? extends RuntimeException>> HOPELESS =
      Set.of(
          IllegalArgumentException.class,
          DateTimeException.class,
          ArithmeticException.class,
          ClassCastException.class,
          IndexOutOfBoundsException.class,
          NoSuchElementException.class,
          NullPointerException.class,
          UnsupportedOperationException.class);

  private record From(String eventType, String version) {}

  private record Step(String to, Text change) {}

  private final Map<From, Step> steps;
  private final Map<String, String> unversioned;

  private Upcasters(Builder builder) {
    steps = Map.copyOf(builder.steps);
    unversioned = Map.copyOf(builder.unversioned);
  }

  public static Builder builder() {
    return new Builder();
  }

  /**
   * The event with a payload of the newest version, and that version in its header; the event
   * itself if there is nothing to do.
   *
   * @throws NonRetryableException if a step fails as it would every time, or the payload is not
   *     text
   * @throws OutboxException if a step fails otherwise; see {@link Text}
   */
  public EventEnvelope upcast(EventEnvelope event) {
    String version = versionOf(event);
    Step step = version == null ? null : steps.get(new From(event.eventType(), version));
    if (version == null || step == null) {
      return event;
    }
    String payload = text(event);
    while (step != null) {
      payload = changed(event, version, step, payload);
      version = step.to();
      step = steps.get(new From(event.eventType(), version));
    }
    return withPayload(event, payload, version);
  }

  /** Formats what events have become. */
  public MessageFormat before(MessageFormat format) {
    Objects.requireNonNull(format, "format must not be null");
    return (event, protocol) -> format.format(upcast(event), protocol);
  }

  /** Delivers what events have become, to a listener that takes one at a time and returns. */
  public EventListener beforeListener(EventListener listener) {
    Objects.requireNonNull(listener, "listener must not be null");
    return event -> listener.onEvent(upcast(event));
  }

  private @Nullable String versionOf(EventEnvelope event) {
    String told = event.header(EventHeaders.SCHEMA_VERSION);
    return told == null ? unversioned.get(event.eventType()) : told;
  }

  private static String text(EventEnvelope event) {
    String text = event.payloadJson();
    if (text == null) {
      throw new NonRetryableException(
          "payload of event %s of type %s is not text and can't be brought up to date"
              .formatted(event.eventId(), event.eventType()));
    }
    return text;
  }

  private static String changed(EventEnvelope event, String version, Step step, String payload) {
    try {
      return Objects.requireNonNull(step.change().upcast(payload), "upcaster returned null");
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw judged(
          e,
          "payload of event %s of type %s can't be brought from version %s to %s: %s"
              .formatted(
                  event.eventId(), event.eventType(), version, step.to(), e.getClass().getName()));
    }
  }

  /** Without the cause, whose message may quote the payload. */
  private static OutboxException judged(Exception failure, String message) {
    for (Throwable cause : ErrorText.chain(failure)) {
      if (cause instanceof OutboxException told) {
        return told;
      }
    }
    return HOPELESS.stream().anyMatch(type -> type.isInstance(failure))
        ? new NonRetryableException(message + "; correct the upcaster, then replay the event")
        : new OutboxException(message, null);
  }

  private static EventEnvelope withPayload(EventEnvelope event, String payload, String version) {
    Map<String, @Nullable String> headers = new HashMap<>(event.headers());
    headers.put(EventHeaders.SCHEMA_VERSION, version);
    return EventEnvelope.builder(event.eventType())
        .eventId(event.eventId())
        .occurredAt(event.occurredAt())
        .aggregateType(event.aggregateType())
        .aggregateId(event.aggregateId())
        .tenantId(event.tenantId())
        .headers(headers)
        .payloadJson(payload)
        .build();
  }

  /** Builds {@link Upcasters}. */
  public static final class Builder {

    private final Map<From, Step> steps = new HashMap<>();
    private final Map<String, String> unversioned = new HashMap<>();

    private Builder() {}

    /**
     * How a payload of one version becomes one of another.
     *
     * @throws IllegalArgumentException if there is a step from that version already
     */
    public Builder step(String eventType, String from, String to, Text change) {
      Require.notEmpty("eventType", eventType);
      Require.notEmpty("from", from);
      Require.notEmpty("to", to);
      Step step = new Step(to, Objects.requireNonNull(change, "change must not be null"));
      Step before = steps.putIfAbsent(new From(eventType, from), step);
      Require.check(
          before == null, "from", "a version without a step of event type " + eventType, from);
      return this;
    }

    /**
     * Which version events of the type have that don't say so, such as those that were written
     * before there were versions. Without this they are left as they are.
     *
     * @throws IllegalArgumentException if that was said of the type already
     */
    public Builder unversioned(String eventType, String version) {
      Require.notEmpty("eventType", eventType);
      Require.notEmpty("version", version);
      String before = unversioned.putIfAbsent(eventType, version);
      Require.check(before == null, "eventType", "one that this is said of once", eventType);
      return this;
    }

    /**
     * The steps so far.
     *
     * @throws IllegalArgumentException if steps lead in a circle, or none leads on from what events
     *     without a version have
     */
    public Upcasters build() {
      steps.keySet().forEach(this::requireEnd);
      unversioned.forEach(
          (eventType, version) ->
              Require.check(
                  steps.containsKey(new From(eventType, version)),
                  "version of unversioned events of type " + eventType,
                  "one that a step leads on from",
                  version));
      return new Upcasters(this);
    }

    private void requireEnd(From start) {
      Set<String> seen = new HashSet<>();
      String version = start.version();
      while (version != null) {
        Require.check(
            seen.add(version),
            "steps of event type " + start.eventType(),
            "without a circle",
            seen);
        Step step = steps.get(new From(start.eventType(), version));
        version = step == null ? null : step.to();
      }
    }
  }
}
