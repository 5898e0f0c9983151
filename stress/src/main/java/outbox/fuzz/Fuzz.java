package outbox.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;

/** What Jazzer calls; {@code -Doutbox.fuzz.target} says whom to give the texts to. */
public final class Fuzz {

  private static final Target TARGET =
      Target.of(System.getProperty("outbox.fuzz.target", "HEADERS"));

  private Fuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    TARGET.accept(data.consumeRemainingAsString());
  }
}
