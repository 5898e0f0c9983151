package outbox.samples.demo.view;

/** The few colours of the demo, as ANSI codes that every terminal maps to its own palette. */
enum Tint {
  PLAIN(""),
  BOLD("1"),
  DIM("2"),
  RED("1;31"),
  GREEN("32"),
  YELLOW("33"),
  BLUE("34"),
  CYAN("36");

  private final String code;

  Tint(String code) {
    this.code = code;
  }

  String paint(String text) {
    return code.isEmpty() || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
