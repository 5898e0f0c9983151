package outbox.faults.node;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import outbox.BatchEventListener;
import outbox.BatchResult;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.NonRetryableException;
import outbox.RetryAfterException;
import outbox.faults.history.Journal;
import outbox.faults.history.Payload;

/** Writes down every event that it gets, and treats it as its {@link Behaviour} says. */
final class Destination implements EventListener {

  private static final Duration LATER = Duration.ofSeconds(1);

  private final NodeSettings settings;
  private final Switches switches;
  private final Journal journal;
  private final Death death;
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();

  Destination(NodeSettings settings, Switches switches, Journal journal, Death death) {
    this.settings = settings;
    this.switches = switches;
    this.journal = journal;
    this.death = death;
  }

  /** One event at a time, or lists. */
  EventListener listener() {
    return settings.isBatching() ? lists() : this;
  }

  /** Each of them a destination to the engine, which gives it one list at a time. */
  EventListener lists() {
    return new Lists();
  }

  @Override
  public void onEvent(EventEnvelope event) throws Exception {
    death.at(KillPoint.CLAIMED);
    long call = journal.begins(event);
    Behaviour behaviour = behaviour(event);
    work();
    switch (behaviour) {
      case DIE -> Death.now();
      case STALL -> stall(call);
      case HANG -> hang();
      default -> {
        if (behaviour == Behaviour.FORGET) {
          journal.forgets(call);
        }
        journal.ends(call, behaviour == Behaviour.DELIVER || behaviour == Behaviour.FORGET);
        death.at(KillPoint.DELIVERED);
        answer(behaviour);
      }
    }
  }

  /** As long as it takes, or until somebody interrupts it; threads also wake for no reason. */
  private void work() {
    long end = System.nanoTime() + settings.work().toNanos();
    for (long left = settings.work().toNanos();
        left > 0 && !Thread.currentThread().isInterrupted();
        left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private Behaviour behaviour(EventEnvelope event) {
    Behaviour usual = Behaviour.valueOf(switches.value(Switches.BEHAVIOUR, "DELIVER"));
    Behaviour behaviour = Behaviour.of(String.valueOf(event.aggregateId()), usual);
    return behaviour == Behaviour.DELIVER ? fate(event) : behaviour;
  }

  private Behaviour fate(EventEnvelope event) {
    if (String.valueOf(event.payloadJson()).length() > settings.largest()) {
      return Behaviour.REJECT;
    }
    int lot = lot(event);
    if (lot >= settings.failing() + settings.forgetting()) {
      failures.remove(event.eventId());
      return Behaviour.DELIVER;
    }
    failures.merge(event.eventId(), 1, Integer::sum);
    return lot < settings.failing() ? Behaviour.REFUSE : Behaviour.FORGET;
  }

  /** Decided by the seed alone for each try of an event, whoever makes it and when. */
  private int lot(EventEnvelope event) {
    int before = failures.getOrDefault(event.eventId(), 0);
    int seed = Objects.hash(settings.seed(), event.aggregateId(), Payload.version(event), before);
    return new SplittableRandom(seed).nextInt(100);
  }

  private static void answer(Behaviour behaviour) {
    switch (behaviour) {
      case REFUSE -> throw new IllegalStateException("refused");
      case REJECT -> throw new NonRetryableException("rejected");
      case ASK_LATER -> throw new RetryAfterException(LATER, "come again later");
      case DEFER -> throw new DeferException(LATER, "nothing can be taken now");
      case FORGET -> throw new IllegalStateException("the answer was lost");
      default -> {}
    }
  }

  private void stall(long call) throws InterruptedException {
    try {
      new CountDownLatch(1).await();
    } finally {
      journal.ends(call, false);
    }
  }

  @SuppressWarnings("InfiniteLoopStatement")
  private static void hang() {
    while (true) {
      LockSupport.park();
      Thread.interrupted();
    }
  }

  private final class Lists implements BatchEventListener {

    @Override
    public void onEvents(List<EventEnvelope> events, BatchResult result) {
      journal.takes(events.size());
      for (EventEnvelope event : events) {
        try {
          onEvent(event);
          result.delivered(event);
        } catch (Exception e) {
          result.failed(event, e);
        }
      }
    }

    @Override
    public void onEvent(EventEnvelope event) throws Exception {
      Destination.this.onEvent(event);
    }
  }
}
