package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReservationsTest {

  private static final int ROOM = 10;

  private final Reservations reservations = new Reservations();

  private static long inAnHour() {
    return System.nanoTime() + TimeUnit.HOURS.toNanos(1);
  }

  private boolean reserve(Object holder, int events) {
    return reservations.reserve(holder, events, ROOM, inAnHour());
  }

  @Test
  void noMoreIsPromisedThanThereIs() {
    assertThat(reserve("a", 6)).isTrue();
    assertThat(reserve("b", 5)).isFalse();
    assertThat(reserve("c", 4)).isTrue();
    assertThat(reserve("d", 1)).isFalse();
  }

  @Test
  void partOfTheEventsIsPromisedWhereThatIsAsked() {
    assertThat(reservations.reserveUpTo("a", 4, ROOM, inAnHour())).isEqualTo(4);
    assertThat(reservations.reserveUpTo("b", 100, ROOM, inAnHour())).isEqualTo(6);
    assertThat(reservations.reserveUpTo("c", 1, ROOM, inAnHour())).isZero();
  }

  @Test
  void roomThatIsGivenBackIsPromisedAgainOnce() {
    reserve("a", ROOM);

    reservations.giveBack("a");
    reservations.giveBack("a");

    assertThat(reserve("b", ROOM)).isTrue();
    assertThat(reserve("c", 1)).isFalse();
  }

  @Test
  void holdersAreToldApartByWhoTheyAre() {
    Object one = List.of("same");
    Object other = List.of("same");
    reserve(one, 5);
    reserve(other, 5);

    reservations.giveBack(one);

    assertThat(reserve("next", 5)).isTrue();
    assertThat(reserve("last", 1)).isFalse();
  }

  @Test
  void promiseLapsesWhenItsTimeIsOver() {
    long past = System.nanoTime() - 1;
    reservations.reserve("lapsed", 4, ROOM, past);
    reserve("open", 6);

    assertThat(reserve("next", 4)).isTrue();
    assertThat(reserve("last", 1)).isFalse();
    reservations.giveBack("lapsed");
    assertThat(reserve("last", 1)).isFalse();
  }

  @Test
  void lapsedPromisesAreFoundInAnyOrder() {
    reserve("open", 2);
    for (int i = 0; i < 4; i++) {
      reservations.reserve(new Object(), 2, ROOM, System.nanoTime() - i);
    }

    assertThat(reserve("next", 8)).isTrue();
    assertThat(reserve("last", 1)).isFalse();
  }

  @Test
  void roomThatShrinksBelowWhatIsPromisedIsNoRoom() {
    reserve("a", 8);

    assertThat(reservations.reserve("b", 1, 3, inAnHour())).isFalse();
    assertThat(reservations.reserveUpTo("b", 1, 3, inAnHour())).isZero();
  }

  @Test
  void nothingIsLostAmongManyThreads() {
    List<CompletableFuture<Void>> threads =
        IntStream.range(0, 4).mapToObj(i -> CompletableFuture.runAsync(this::comeAndGo)).toList();

    threads.forEach(CompletableFuture::join);

    assertThat(reserve("all", ROOM)).isTrue();
  }

  private void comeAndGo() {
    for (int i = 0; i < 10_000; i++) {
      Object holder = new Object();
      reserve(holder, 1 + i % 5);
      reservations.giveBack(holder);
    }
  }
}
