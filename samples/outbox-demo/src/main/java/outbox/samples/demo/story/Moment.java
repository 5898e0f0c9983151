package outbox.samples.demo.story;

import java.time.Duration;

/** Something worth telling, and when in the run it happened. */
public record Moment(Duration at, Tone tone, String text) {}
