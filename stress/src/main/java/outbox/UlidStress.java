package outbox;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** Two threads make ids at once. */
@JCStressTest
@Outcome(id = "true, true, true", expect = Expect.ACCEPTABLE, desc = "They grow and differ.")
@State
public class UlidStress {

  private String one = "";
  private String other = "";

  @Actor
  public void makes(ZZZ_Result result) {
    String first = Ulid.next();
    one = Ulid.next();
    result.r1 = first.compareTo(one) < 0;
  }

  @Actor
  public void makesToo(ZZZ_Result result) {
    String first = Ulid.next();
    other = Ulid.next();
    result.r2 = first.compareTo(other) < 0;
  }

  @Arbiter
  public void differ(ZZZ_Result result) {
    result.r3 = !one.equals(other);
  }
}
