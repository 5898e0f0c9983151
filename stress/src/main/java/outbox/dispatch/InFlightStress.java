package outbox.dispatch;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import outbox.EventEnvelope;
import outbox.spi.MetricsExporter;

/** The poller meets an event at the moment when somebody else begins or ends with it. */
public final class InFlightStress {

  private InFlightStress() {}

  /** A dispatcher's intake, and the event that everybody has. */
  static class Hands {

    final EventEnvelope envelope =
        EventEnvelope.builder("T").eventId("e").payloadJson("{}").build();
    final FairQueue queue = new FairQueue(10, 10);
    final AtomicInteger turns = new AtomicInteger();
    final InFlight inFlight =
        new InFlight(
            new DefaultInFlightTracker(), new ByteBudget(1 << 20), next -> turns.incrementAndGet());
    final Intake intake = new Intake(inFlight, queue, MetricsExporter.NOOP);

    QueuedEvent event(QueuedEvent.Source source, int attempts) {
      return new QueuedEvent(envelope, source, attempts);
    }

    QueuedEvent fetched(int attempts) {
      return event(QueuedEvent.Source.COLD, attempts);
    }

    /** Delivers what is queued; returns how many. */
    int work() {
      List<Delivery> taken = queue.drain();
      taken.forEach(delivery -> delivery.hold().tried());
      return taken.size();
    }
  }

  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The first has it.")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The second has it.")
  @State
  public static class HeldOnce extends Hands {

    @Actor
    public void one(II_Result held) {
      held.r1 = inFlight.hold(fetched(0), null) == null ? 0 : 1;
    }

    @Actor
    public void other(II_Result held) {
      held.r2 = inFlight.hold(fetched(0), null) == null ? 0 : 1;
    }
  }

  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The try had ended.")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The retry has its turn after it.")
  @State
  public static class RetryIsNeverForgotten extends Hands {

    private final Delivery last = Objects.requireNonNull(inFlight.hold(fetched(0), null));

    @Actor
    public void ends() {
      last.hold().tried();
    }

    @Actor
    public void fetches(II_Result taken) {
      taken.r1 = inFlight.holdFetched(fetched(1), null, null) == null ? 0 : 1;
    }

    @Arbiter
    public void turns(II_Result taken) {
      taken.r2 = turns.get();
    }
  }

  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "It is over.")
  @State
  public static class WhatEndedDuringAPollIsNotDeliveredAgain extends Hands {

    private final Delivery last = polled();

    private Delivery polled() {
      inFlight.pollStarts();
      return Objects.requireNonNull(inFlight.hold(fetched(0), null));
    }

    @Actor
    public void ends() {
      last.hold().tried();
    }

    @Actor
    public void offersWhatItFetchedBefore() {
      intake.takeFetched(fetched(0), null, null);
    }

    @Arbiter
    public void delivered(I_Result again) {
      again.r1 = work() + turns.get();
    }
  }

  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "One of them had it.")
  @State
  public static class CommittedEventIsDeliveredOnce extends Hands {

    private final AtomicInteger delivered = new AtomicInteger();
    private final Object writer = announced();

    private Object announced() {
      Object announcing = new Object();
      inFlight.announce("e", announcing);
      inFlight.pollStarts();
      return announcing;
    }

    @Actor
    public void commits() {
      intake.takeCommitted(event(QueuedEvent.Source.HOT, 0), null, writer);
    }

    @Actor
    public void fetchesAndDelivers() {
      intake.takeFetched(fetched(0), null, null);
      delivered.addAndGet(work());
    }

    @Arbiter
    public void delivered(I_Result times) {
      times.r1 = delivered.get() + work() + turns.get();
    }
  }

  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Given back once.")
  @State
  public static class HoldEndsOnce extends Hands {

    private final ByteBudget budget = new ByteBudget(10_000);
    private final InFlight counted = new InFlight(new DefaultInFlightTracker(), budget, next -> {});
    private final Delivery delivery = held();

    private Delivery held() {
      Delivery mine = Objects.requireNonNull(counted.hold(fetched(0), null));
      mine.hold().fits();
      return mine;
    }

    @Actor
    public void tried() {
      delivery.hold().tried();
    }

    @Actor
    public void untried() {
      delivery.hold().untried();
    }

    @Arbiter
    public void free(I_Result result) {
      result.r1 = budget.free() == 10_000 && counted.count() == 0 ? 1 : 0;
    }
  }
}
