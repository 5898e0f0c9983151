package outbox.samples.demo.view;

import java.util.Locale;
import java.util.Map;
import outbox.samples.demo.story.Tone;

/** The characters that pictures are made of, for terminals with and without Unicode. */
enum Glyphs {
  UNICODE("╭╮╰╯─│", "─●▶", "▁▂▃▄▅▆▇█", "━─", "→", "·✓!✗ "),
  ASCII("++++-|", "-o>", "_.-:=+*#", "=-", "->", "-+!x ");

  private final String box;
  private final String flow;
  private final String levels;
  private final String bar;
  private final String arrow;
  private final String marks;

  Glyphs(String box, String flow, String levels, String bar, String arrow, String marks) {
    this.box = box;
    this.flow = flow;
    this.levels = levels;
    this.bar = bar;
    this.arrow = arrow;
    this.marks = marks;
  }

  /** Unicode if the locale says that the terminal understands it. */
  static Glyphs of(Map<String, String> environment) {
    for (String name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
      String value = environment.getOrDefault(name, "").toUpperCase(Locale.ROOT);
      if (!value.isEmpty()) {
        return value.endsWith("UTF-8") || value.endsWith("UTF8") ? UNICODE : ASCII;
      }
    }
    return ASCII;
  }

  /** Of a box: top left, top right, bottom left, bottom right, horizontal, vertical. */
  char box(int part) {
    return box.charAt(part);
  }

  /** An arrow of this length; something moves along it at the given step, or not if negative. */
  String flow(int length, int step) {
    StringBuilder line = new StringBuilder(flow.substring(0, 1).repeat(length - 1));
    if (step >= 0) {
      line.setCharAt(step % (length - 1), flow.charAt(1));
    }
    return line.append(flow.charAt(2)).toString();
  }

  /** The part of a column in this row, which it fills to this share; more than 1 is full. */
  char level(double share, int row) {
    int level = (int) Math.ceil(share * levels.length());
    if (level <= 0) {
      return row == 0 ? levels.charAt(0) : ' ';
    }
    return levels.charAt(Math.min(levels.length(), level) - 1);
  }

  String filled(int length) {
    return bar.substring(0, 1).repeat(Math.max(0, length));
  }

  String unfilled(int length) {
    return bar.substring(1, 2).repeat(Math.max(0, length));
  }

  String arrow() {
    return arrow;
  }

  String mark(Tone tone) {
    int index =
        switch (tone) {
          case PLAIN -> 0;
          case GOOD -> 1;
          case TROUBLE -> 2;
          case BAD -> 3;
          case DETAIL -> 4;
        };
    return marks.substring(index, index + 1);
  }
}
