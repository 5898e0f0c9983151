package outbox.model;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import outbox.internal.Require;
import outbox.util.Nullable;

/**
 * Which dead events are meant: those to which everything applies that is set.
 *
 * <pre>{@code
 * DeadFilter.all().withEventType("OrderPlaced").withErrorText("connection refused")
 * }</pre>
 *
 * @param ids just these; empty: any
 * @param diedFrom the first moment of their end that counts; a row that has none ended when it was
 *     created
 * @param diedBefore the first moment that no longer counts
 * @param errorText part of the last error, in upper or lower case; no character has a special
 *     meaning
 */
public record DeadFilter(
    List<String> ids,
    @Nullable String eventType,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable String tenantId,
    @Nullable Instant diedFrom,
    @Nullable Instant diedBefore,
    @Nullable String errorText) {

  /** More would make statements that no database likes. */
  public static final int MAX_IDS = 500;

  private static final DeadFilter ALL =
      new DeadFilter(List.of(), null, null, null, null, null, null, null);

  public DeadFilter {
    ids = List.copyOf(Set.copyOf(ids));
    Require.check(ids.size() <= MAX_IDS, "ids", "at most " + MAX_IDS, ids.size());
    ids.forEach(id -> requireText("id", id));
    requireText("eventType", eventType);
    requireText("aggregateType", aggregateType);
    requireText("aggregateId", aggregateId);
    requireText("tenantId", tenantId);
    requireText("errorText", errorText);
    if (diedFrom != null && diedBefore != null) {
      Require.check(!diedFrom.isAfter(diedBefore), "diedFrom", "not after " + diedBefore, diedFrom);
    }
  }

  /** Every dead event. */
  public static DeadFilter all() {
    return ALL;
  }

  /** One of these; an empty collection is refused, because it would mean every event. */
  public DeadFilter withIds(Collection<String> ids) {
    Require.check(!ids.isEmpty(), "ids", "not empty", ids);
    return new DeadFilter(
        List.copyOf(ids),
        eventType,
        aggregateType,
        aggregateId,
        tenantId,
        diedFrom,
        diedBefore,
        errorText);
  }

  public DeadFilter withEventType(@Nullable String eventType) {
    return new DeadFilter(
        ids, eventType, aggregateType, aggregateId, tenantId, diedFrom, diedBefore, errorText);
  }

  /** Of this type, and if an id is given, of this one aggregate. */
  public DeadFilter withAggregate(@Nullable String aggregateType, @Nullable String aggregateId) {
    return new DeadFilter(
        ids, eventType, aggregateType, aggregateId, tenantId, diedFrom, diedBefore, errorText);
  }

  public DeadFilter withTenant(@Nullable String tenantId) {
    return new DeadFilter(
        ids, eventType, aggregateType, aggregateId, tenantId, diedFrom, diedBefore, errorText);
  }

  /** From the first moment on and before the second; either may be null. */
  public DeadFilter withDied(@Nullable Instant from, @Nullable Instant before) {
    return new DeadFilter(
        ids, eventType, aggregateType, aggregateId, tenantId, from, before, errorText);
  }

  public DeadFilter withErrorText(@Nullable String errorText) {
    return new DeadFilter(
        ids, eventType, aggregateType, aggregateId, tenantId, diedFrom, diedBefore, errorText);
  }

  /** The same without what died at this moment or later. */
  public DeadFilter cutOffAt(Instant moment) {
    if (diedBefore != null && !diedBefore.isAfter(moment)) {
      return this;
    }
    return withDied(diedFrom != null && diedFrom.isAfter(moment) ? moment : diedFrom, moment);
  }

  private static void requireText(String name, @Nullable String value) {
    if (value != null) {
      Require.notEmpty(name, value);
      Require.storable(name, value);
    }
  }
}
