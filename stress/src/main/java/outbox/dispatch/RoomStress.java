package outbox.dispatch;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import outbox.EventEnvelope;

/** Room that two want and only one can have. */
public final class RoomStress {

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

  /** Each is granted the only slot, or queued again when it is free. */
  @JCStressTest
  @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Nobody is forgotten.")
  @State
  public static class SlotForOne {

    private final FairQueue queue = new FairQueue(10, 10);
    private final AsyncSlots slots = new AsyncSlots(queue, 1);
    private int granted;
    private int grantedToo;

    @Actor
    public void one() {
      granted = takeAndGiveBack();
    }

    @Actor
    public void other() {
      grantedToo = takeAndGiveBack();
    }

    @Arbiter
    public void served(I_Result result) {
      List<Delivery> again = queue.drain();
      result.r1 = granted + grantedToo + again.size();
    }

    private int takeAndGiveBack() {
      int slot = slots.take(1, delivery());
      if (slot > 0) {
        slots.giveBack(slot);
      }
      return slot;
    }
  }

  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "One is first.")
  @State
  public static class FlightLandsOnce {

    private final Flight flight = new Flight(List.of());

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
