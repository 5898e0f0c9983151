package outbox.dispatch;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import outbox.AsyncEventListener;
import outbox.EventEnvelope;

/** Room that two want and only one can have. */
public final class RoomStress {

  private static final AsyncEventListener ONE = event -> CompletableFuture.completedFuture(null);
  private static final AsyncEventListener OTHER = event -> CompletableFuture.completedFuture(null);

  private RoomStress() {}

  @JCStressTest
  @Outcome(
      id = {"1, 0, 4", "0, 1, 4"},
      expect = Expect.ACCEPTABLE,
      desc = "One fits.")
  @State
  public static class BytesForOne {

    private final ByteBudget budget = new ByteBudget(10);

    @Actor
    public void one(III_Result result) {
      result.r1 = budget.tryTake(6) ? 1 : 0;
    }

    @Actor
    public void other(III_Result result) {
      result.r2 = budget.tryTake(6) ? 1 : 0;
    }

    @Arbiter
    public void free(III_Result result) {
      result.r3 = (int) budget.free();
    }
  }

  @JCStressTest
  @Outcome(id = "1, 4", expect = Expect.ACCEPTABLE, desc = "There was room again.")
  @Outcome(id = "0, 10", expect = Expect.ACCEPTABLE, desc = "There was none yet.")
  @State
  public static class BytesGivenBack {

    private final ByteBudget budget = used();

    private static ByteBudget used() {
      ByteBudget budget = new ByteBudget(10);
      budget.tryTake(8);
      return budget;
    }

    @Actor
    public void gives() {
      budget.giveBack(8);
    }

    @Actor
    public void takes(II_Result result) {
      result.r1 = budget.tryTake(6) ? 1 : 0;
    }

    @Arbiter
    public void free(II_Result result) {
      result.r2 = (int) budget.free();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "One is promised its room.")
  @State
  public static class PromisedOnce {

    private final Reservations reservations = new Reservations();
    private final long deadline = System.nanoTime() + TimeUnit.HOURS.toNanos(1);

    @Actor
    public void one(II_Result result) {
      result.r1 = reservations.reserve(new Object(), 6, 10, deadline) ? 1 : 0;
    }

    @Actor
    public void other(II_Result result) {
      result.r2 = reservations.reserve(new Object(), 6, 10, deadline) ? 1 : 0;
    }
  }

  /** Two listeners: each is granted the only slot, or queued again with it when it is free. */
  @JCStressTest
  @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Nobody is forgotten.")
  @State
  public static class SlotForOne {

    private final FairQueue queue = new FairQueue(10, 10);
    private final AsyncSlots slots = new AsyncSlots(queue, 1, System::nanoTime);
    private int granted;
    private int grantedToo;

    @Actor
    public void one() {
      granted = takeAndGiveBack(ONE);
    }

    @Actor
    public void other() {
      grantedToo = takeAndGiveBack(OTHER);
    }

    @Arbiter
    public void served(I_Result result) {
      List<Delivery> again = queue.drain();
      result.r1 = granted + grantedToo + again.size();
    }

    private int takeAndGiveBack(AsyncEventListener listener) {
      int slot = slots.take(listener, 1, new Passenger(delivery(), listener));
      if (slot > 0) {
        slots.giveBack(listener, slot);
      }
      return slot;
    }
  }

  /** A listener has enough just when slots come back to it: it is asked again all the same. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Nobody is forgotten.")
  @State
  public static class EnoughForAMoment {

    private final FairQueue queue = new FairQueue(10, 10);
    private final AsyncSlots slots = new AsyncSlots(queue, 2, System::nanoTime);
    private final AtomicBoolean underWay = new AtomicBoolean(true);

    public EnoughForAMoment() {
      slots.take(ONE, 1, new Passenger(delivery(), ONE));
    }

    @Actor
    public void lands() {
      underWay.set(false);
      slots.giveBack(ONE, 1);
    }

    @Actor
    public void asks(I_Result result) {
      long returned = slots.returned();
      if (underWay.get()) {
        slots.hold(ONE, new Passenger(delivery(), ONE), returned);
      } else {
        result.r1 = 1;
      }
    }

    @Arbiter
    public void asked(I_Result result) {
      result.r1 += queue.drain().size();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "One is first.")
  @State
  public static class FlightLandsOnce {

    private final Flight flight = new Flight(ONE, List.of());

    @Actor
    public void one(II_Result result) {
      result.r1 = flight.land() ? 1 : 0;
    }

    @Actor
    public void other(II_Result result) {
      result.r2 = flight.land() ? 1 : 0;
    }
  }

  static Delivery delivery() {
    EventEnvelope envelope = EventEnvelope.builder("T").eventId("e").payloadJson("{}").build();
    return new Delivery(
        new QueuedEvent(envelope, QueuedEvent.Source.HOT, 0), InFlight.Hold.NONE, null);
  }
}
