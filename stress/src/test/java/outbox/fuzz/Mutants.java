package outbox.fuzz;

import java.util.List;
import java.util.SplittableRandom;

/** Makes new texts of old ones: cut, joined, repeated, and with characters that mean something. */
final class Mutants {

  private static final String SPECIAL =
      "{}[]\",:\\/ \t\n\r\0u0-1.eEtf;@?$%_!\u001b\u2028\ud83d\ude80\uffff";
  private static final int LONGEST = 2_000;

  private Mutants() {}

  static String of(List<String> corpus, SplittableRandom random) {
    String text = one(corpus, random);
    for (int i = random.nextInt(1, 6); i > 0; i--) {
      text = changed(text, corpus, random);
    }
    return text.substring(0, Math.min(LONGEST, text.length()));
  }

  private static String changed(String text, List<String> corpus, SplittableRandom random) {
    int one = random.nextInt(text.length() + 1);
    int other = random.nextInt(text.length() + 1);
    String before = text.substring(0, Math.min(one, other));
    String between = text.substring(Math.min(one, other), Math.max(one, other));
    String after = text.substring(Math.max(one, other));
    return switch (random.nextInt(6)) {
      case 0 -> before + after;
      case 1 -> before + between + between + after;
      case 2 -> after + between + before;
      case 3 -> before + one(corpus, random) + after;
      case 4 -> before + SPECIAL.charAt(random.nextInt(SPECIAL.length())) + between + after;
      default -> before + (char) random.nextInt(0x10000) + between + after;
    };
  }

  private static String one(List<String> corpus, SplittableRandom random) {
    return corpus.get(random.nextInt(corpus.size()));
  }
}
