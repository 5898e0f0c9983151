package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Against a list of promises that is summed up each time. */
class ReservationsProperties {

  enum Kind {
    RESERVE,
    RESERVE_UP_TO,
    RESERVE_LAPSED,
    GIVE_BACK,
    GIVE_BACK_AGAIN
  }

  record Step(Kind kind, @IntRange(max = 12) int amount, @IntRange(max = 20) int room) {}

  private record Promise(Object holder, long amount, boolean isLapsed) {}

  @Property
  void behavesAsItsModel(
      @ForAll @Size(max = 50) List<Kind> kinds,
      @ForAll @Size(50) List<@IntRange(max = 12) Integer> amounts,
      @ForAll @Size(50) List<@IntRange(max = 20) Integer> rooms) {
    Model model = new Model();
    for (int i = 0; i < kinds.size(); i++) {
      model.run(new Step(kinds.get(i), amounts.get(i), rooms.get(i)));
    }
  }

  private static final class Model {
    private final Reservations reservations = new Reservations();
    private final List<Promise> promises = new ArrayList<>();
    private final List<Object> gone = new ArrayList<>();

    void run(Step step) {
      switch (step.kind()) {
        case RESERVE -> reserve(step, false);
        case RESERVE_LAPSED -> reserve(step, true);
        case RESERVE_UP_TO -> reserveUpTo(step);
        case GIVE_BACK -> {
          if (!promises.isEmpty()) {
            Object holder = promises.remove(step.amount() % promises.size()).holder();
            reservations.giveBack(holder);
            gone.add(holder);
          }
        }
        case GIVE_BACK_AGAIN -> gone.forEach(reservations::giveBack);
      }
    }

    private void reserve(Step step, boolean isLapsed) {
      Object holder = new Object();
      boolean fits = step.amount() <= left(step.amount(), step.room());
      assertThat(reservations.reserve(holder, step.amount(), step.room(), deadline(isLapsed)))
          .isEqualTo(fits);
      if (fits) {
        promises.add(new Promise(holder, step.amount(), isLapsed));
      }
    }

    private void reserveUpTo(Step step) {
      Object holder = new Object();
      long granted = Math.min(step.amount(), left(step.amount(), step.room()));
      assertThat(reservations.reserveUpTo(holder, step.amount(), step.room(), deadline(false)))
          .isEqualTo(granted);
      if (granted > 0) {
        promises.add(new Promise(holder, granted, false));
      }
    }

    /** What has lapsed counts until somebody needs its room. */
    private long left(long wanted, long room) {
      if (room - promised() < wanted) {
        promises.removeIf(
            promise -> {
              if (promise.isLapsed()) {
                gone.add(promise.holder());
              }
              return promise.isLapsed();
            });
      }
      return Math.max(0, room - promised());
    }

    private long promised() {
      return promises.stream().mapToLong(Promise::amount).sum();
    }

    private static long deadline(boolean isLapsed) {
      return System.nanoTime() + (isLapsed ? -1 : TimeUnit.HOURS.toNanos(1));
    }
  }
}
