package outbox.dispatch;

import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The tracker's entries, with and without a time to live. */
public final class TrackerStress {

  private TrackerStress() {}

  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "One of them has it.")
  @State
  public static class AcquiredOnce {

    private final DefaultInFlightTracker tracker = new DefaultInFlightTracker();

    @Actor
    public void one(II_Result result) {
      result.r1 = tracker.acquire("e") == null ? 0 : 1;
    }

    @Actor
    public void other(II_Result result) {
      result.r2 = tracker.acquire("e") == null ? 0 : 1;
    }
  }

  /** Its first owner, who is late, can't free what another has taken over. */
  @JCStressTest
  @Outcome(
      id = {"1, 0, 1", "0, 1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "One took it over.")
  @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "One after the other, a while later.")
  @State
  public static class TakenOver {

    private final DefaultInFlightTracker tracker = new DefaultInFlightTracker(1);
    private final InFlightTracker.Hold first = expired();

    private InFlightTracker.Hold expired() {
      InFlightTracker.Hold hold = Objects.requireNonNull(tracker.acquire("e"));
      long until = System.nanoTime() + 1_000_000;
      while (System.nanoTime() - until < 0) {
        Thread.onSpinWait();
      }
      return hold;
    }

    @Actor
    public void takesOver(III_Result result) {
      result.r1 = tracker.acquire("e") == null ? 0 : 1;
    }

    @Actor
    public void releasesLateAndComesAgain(III_Result result) {
      first.release();
      result.r2 = tracker.acquire("e") == null ? 0 : 1;
    }

    @Arbiter
    public void isHeldByNewOwner(III_Result result) {
      result.r3 = first.isCurrent() ? 0 : 1;
    }
  }
}
