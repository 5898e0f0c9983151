package outbox.samples.demo.view;

import java.util.List;
import outbox.samples.demo.story.Moment;
import outbox.samples.demo.story.Tone;

/** Moments, one line each. */
final class Feed {

  private final Glyphs glyphs;

  Feed(Glyphs glyphs) {
    this.glyphs = glyphs;
  }

  List<Line> lines(List<Moment> moments) {
    return moments.stream().map(this::line).toList();
  }

  Line line(Moment moment) {
    String time = moment.tone() == Tone.DETAIL ? "" : Units.seconds(moment.at());
    return new Line()
        .add(Tint.DIM, "%7s  ".formatted(time))
        .add(tint(moment.tone()), glyphs.mark(moment.tone()) + " ")
        .add(moment.tone() == Tone.BAD ? Tint.RED : Tint.PLAIN, moment.text());
  }

  private static Tint tint(Tone tone) {
    return switch (tone) {
      case PLAIN, DETAIL -> Tint.PLAIN;
      case GOOD -> Tint.GREEN;
      case TROUBLE -> Tint.YELLOW;
      case BAD -> Tint.RED;
    };
  }
}
