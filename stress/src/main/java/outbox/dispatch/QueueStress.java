package outbox.dispatch;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Mode;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.Signal;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Queues that are filled, emptied and closed at once; a taker that is not woken never ends. */
public final class QueueStress {

  private QueueStress() {}

  @JCStressTest
  @Outcome(
      id = {"1, 0, 1", "0, 1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "One fits.")
  @State
  public static class PlaceForOne {

    private final FairQueue queue = new FairQueue(1, 1);
    private final Delivery delivery = RoomStress.delivery();

    @Actor
    public void one(III_Result result) {
      result.r1 = queue.offer(delivery) ? 1 : 0;
    }

    @Actor
    public void other(III_Result result) {
      result.r2 = queue.offer(delivery) ? 1 : 0;
    }

    @Arbiter
    public void depth(III_Result result) {
      result.r3 = queue.hotDepth();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"1, 1", "0, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "Accepted is there.")
  @State
  public static class OfferedWhileItCloses {

    private final FairQueue queue = new FairQueue(10, 10);
    private final Delivery delivery = RoomStress.delivery();
    private int taken;

    @Actor
    public void offers(II_Result result) {
      result.r1 = queue.offer(delivery) ? 1 : 0;
    }

    @Actor
    public void closesAndTakes() {
      queue.close();
      while (queue.take() != null) {
        taken++;
      }
    }

    @Arbiter
    public void found(II_Result result) {
      result.r2 = taken + queue.drain().size();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"1, 1", "0, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "Accepted is there.")
  @State
  public static class AddedWhileTheMailboxCloses {

    private final Mailbox<Integer> mailbox = new Mailbox<>(10);
    private int taken;

    @Actor
    public void adds(II_Result result) {
      result.r1 = mailbox.add(1) ? 1 : 0;
    }

    @Actor
    public void takesAndCloses() {
      taken = mailbox.takeAll(0).size();
      mailbox.close();
    }

    @Arbiter
    public void found(II_Result result) {
      result.r2 = taken + mailbox.takeAll(0).size();
    }
  }

  @JCStressTest(Mode.Termination)
  @Outcome(id = "TERMINATED", expect = Expect.ACCEPTABLE, desc = "The taker was woken.")
  @Outcome(id = "STALE", expect = Expect.FORBIDDEN, desc = "The taker waits for ever.")
  @State
  public static class TakerIsWokenByAnEvent {

    private final FairQueue queue = new FairQueue(1, 1);
    private final Delivery delivery = RoomStress.delivery();

    @Actor
    public void takes() {
      queue.take();
    }

    @Signal
    public void offers() {
      queue.offer(delivery);
    }
  }

  @JCStressTest(Mode.Termination)
  @Outcome(id = "TERMINATED", expect = Expect.ACCEPTABLE, desc = "The taker was woken.")
  @Outcome(id = "STALE", expect = Expect.FORBIDDEN, desc = "The taker waits for ever.")
  @State
  public static class TakerOfAClosedQueueGoesWhenNothingIsParked {

    private final FairQueue queue = new FairQueue(1, 1);
    private final Delivery delivery = parked();

    private Delivery parked() {
      Delivery parked = RoomStress.delivery();
      queue.park(parked);
      queue.close();
      return parked;
    }

    @Actor
    public void takes() {
      while (queue.take() != null) {
        Thread.onSpinWait();
      }
    }

    @Signal
    public void resumes() {
      queue.resume(delivery);
    }
  }

  @JCStressTest(Mode.Termination)
  @Outcome(id = "TERMINATED", expect = Expect.ACCEPTABLE, desc = "The putter was woken.")
  @Outcome(id = "STALE", expect = Expect.FORBIDDEN, desc = "The putter waits for ever.")
  @State
  public static class PutterIsWokenByRoom {

    private final Mailbox<Integer> mailbox = full();

    private static Mailbox<Integer> full() {
      Mailbox<Integer> mailbox = new Mailbox<>(1);
      mailbox.add(1);
      return mailbox;
    }

    @Actor
    public void puts() {
      mailbox.put(2);
    }

    @Signal
    public void takes() {
      mailbox.takeAll(0);
    }
  }

  @JCStressTest(Mode.Termination)
  @Outcome(id = "TERMINATED", expect = Expect.ACCEPTABLE, desc = "The taker was woken.")
  @Outcome(id = "STALE", expect = Expect.FORBIDDEN, desc = "The taker waits for ever.")
  @State
  public static class TakerIsWokenByANudge {

    private final Mailbox<Integer> mailbox = new Mailbox<>(1);

    @Actor
    public void takes() {
      mailbox.takeAll(Long.MAX_VALUE);
    }

    @Signal
    public void nudges() {
      mailbox.nudge();
    }
  }
}
