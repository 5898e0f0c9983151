package outbox.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import outbox.BacklogReader;
import outbox.spi.Backlog;
import outbox.util.DaemonThreadFactory;

/**
 * Gauges of what a table holds that has not been delivered. The table is read by a thread of their
 * own, once per interval however often they are scraped, so that a scrape never waits for the
 * database.
 *
 * <p>A gauge is NaN, neither 0 nor the last value, before the first read, while the table can't be
 * read, and when no read has ended for three intervals. {@link #close} ends the reading and removes
 * the gauges.
 */
public final class BacklogMeters implements AutoCloseable {

  private static final Logger LOG = System.getLogger(BacklogMeters.class.getName());

  /**
   * So that one read that hangs, as on a network that went silent, doesn't show as a standstill.
   */
  private static final int INTERVALS_UNTIL_STALE = 3;

  private final String table;
  private final BacklogReader reader;
  private final BacklogOptions options;
  private final Meters meters;
  private final Timer succeeded;
  private final Timer failed;
  private final List<Gauge> gauges;
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, new DaemonThreadFactory("outbox-metrics-"));
  private final Future<?> reads;
  private volatile @Nullable Reading last;
  private boolean isFailing;
  private boolean isUnrecorded;

  private record Reading(Backlog backlog, long nanos) {

    Duration since() {
      return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /** It goes on growing between two reads. */
    double oldestAgeSeconds() {
      Duration then = backlog.oldestAge();
      return (then.isZero() ? then : then.plus(since())).toMillis() / 1000.0;
    }
  }

  /**
   * Watches what waits in a table, as {@link MicrometerMetricsExporter#watch} does, where nothing
   * feeds the meters of an exporter. The gauges are named {@code outbox.*}.
   *
   * @param table the value of the tag {@code table}, unique in the registry
   */
  public static BacklogMeters of(
      MeterRegistry registry, String table, BacklogReader reader, BacklogOptions options) {
    Objects.requireNonNull(reader, "reader must not be null");
    Meters meters = new Meters(registry, MicrometerMetricsExporter.DEFAULT_PREFIX, Tags.empty());
    return new BacklogMeters(meters.tagged("table", table), table, reader, options);
  }

  BacklogMeters(Meters meters, String table, BacklogReader reader, BacklogOptions options) {
    this.table = table;
    this.reader = reader;
    this.options = options;
    this.meters = meters;
    succeeded = reading("success");
    failed = reading("failure");
    gauges =
        List.of(
            gauge("pending", "Events to be delivered", reading -> reading.backlog().pending()),
            gauge("retrying", "Of these, failed before", reading -> reading.backlog().retrying()),
            gauge("locked", "Of these, claimed by a node", reading -> reading.backlog().locked()),
            gauge("dead", "Events that are DEAD", reading -> reading.backlog().dead()),
            meters.gauge(
                "oldest.age",
                "How long the oldest event to be delivered waits",
                "seconds",
                this,
                watch -> watch.value(Reading::oldestAgeSeconds)));
    long pause = options.interval().toNanos();
    reads = thread.scheduleWithFixedDelay(this::read, 0, pause, TimeUnit.NANOSECONDS);
  }

  /** Doesn't wait for a read under way. */
  @Override
  public void close() {
    reads.cancel(true);
    thread.shutdown();
    gauges.forEach(meters.registry()::remove);
  }

  private Timer reading(String result) {
    return meters
        .tagged("result", result)
        .plainTimer("backlog.read", "How long it took to read what the gauges show");
  }

  private Gauge gauge(String name, String description, ToDoubleFunction<Reading> value) {
    return meters.gauge(name, description, null, this, watch -> watch.value(value));
  }

  private double value(ToDoubleFunction<Reading> value) {
    Reading reading = last;
    Duration tooOld = options.interval().multipliedBy(INTERVALS_UNTIL_STALE);
    return reading == null || reading.since().compareTo(tooOld) > 0
        ? Double.NaN
        : value.applyAsDouble(reading);
  }

  /** Throws nothing: it would be the last read. */
  private void read() {
    long start = System.nanoTime();
    Timer timer = refresh() ? succeeded : failed;
    try {
      timer.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
      isUnrecorded = false;
    } catch (Throwable e) { // the registry's
      if (!isUnrecorded) {
        isUnrecorded = true;
        LOG.log(Level.WARNING, "reads of %s go on without being timed".formatted(table), e);
      }
    }
  }

  /** Returns whether the table could be read. */
  private boolean refresh() {
    try {
      Backlog backlog = reader.read(options.countLimit());
      last = new Reading(backlog, System.nanoTime());
      isFailing = false;
      return true;
    } catch (Throwable e) { // the next read may succeed
      last = null;
      warnOnce(e);
      return false;
    }
  }

  private void warnOnce(Throwable cause) {
    if (!isFailing && !thread.isShutdown()) {
      isFailing = true;
      LOG.log(
          Level.WARNING,
          () ->
              "backlog of %s can't be read, so its gauges are NaN until it can; tried again every %s: %s"
                  .formatted(table, options.interval(), cause));
    }
  }
}
