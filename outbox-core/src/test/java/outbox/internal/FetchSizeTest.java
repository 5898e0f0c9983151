package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FetchSizeTest {

  private static final long MB = 1 << 20;
  private static final long BUDGET = 64 * MB;

  private final FetchSize size = new FetchSize();

  private void fetched(int limit, long bytes) {
    size.saw(bytes);
    size.fetched(limit);
  }

  @Test
  void handlerWithoutBytesGetsWhatItHasRoomFor() {
    assertThat(size.next(500, Long.MAX_VALUE)).isEqualTo(500);
  }

  @Test
  void unknownEventsAreTakenForTheLargest() {
    assertThat(size.next(500, BUDGET)).isEqualTo(16);
    assertThat(size.next(5, BUDGET)).isEqualTo(5);
    assertThat(size.next(500, BUDGET / 16)).isEqualTo(4);
  }

  @Test
  void smallEventsAreFetchedInQuicklyGrowingNumbers() {
    fetched(16, 700);
    assertThat(size.next(500, BUDGET)).isEqualTo(64);
    fetched(64, 700);
    assertThat(size.next(500, BUDGET)).isEqualTo(256);
    fetched(256, 700);
    assertThat(size.next(500, BUDGET)).isEqualTo(500);
  }

  @Test
  void largeEventsAreFetchedInNumbersThatFit() {
    fetched(16, MB);

    assertThat(size.next(500, BUDGET)).isEqualTo(16);
    assertThat(size.next(500, 3 * MB)).isEqualTo(3);
    assertThat(size.next(500, MB / 2)).isZero();
  }

  @Test
  void fetchWeighsWhatIsFreeAndNoMoreThanASingleOneMay() {
    assertThat(FetchSize.bytes(BUDGET)).isEqualTo(16 * MB);
    assertThat(FetchSize.bytes(3 * MB)).isEqualTo(3 * MB);
    assertThat(FetchSize.bytes(0)).isPositive();
    assertThat(FetchSize.bytes(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void whatIsInHandAndFetchedAgainIsAllowedFor() {
    size.next(500, 8 * MB);

    assertThat(size.bytes(8 * MB, 0)).isEqualTo(8 * MB);
    assertThat(size.bytes(4 * MB, 3 * MB)).isEqualTo(7 * MB);
    assertThat(size.bytes(4 * MB, 8 * MB)).isEqualTo(10 * MB);
    assertThat(size.bytes(Long.MAX_VALUE, MB)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void fetchAfterAFailedOneIsSmall() {
    fetched(16, 700);
    fetched(64, 700);
    assertThat(size.next(500, BUDGET)).isEqualTo(256);

    size.failed();

    assertThat(size.next(500, BUDGET)).isEqualTo(16);
  }

  @Test
  void largeEventIsForgottenInTime() {
    fetched(16, MB);
    fetched(16, 700);
    assertThat(size.next(500, BUDGET)).isLessThan(30);

    for (int i = 0; i < 60; i++) {
      fetched(500, 700);
    }

    assertThat(size.next(500, BUDGET)).isEqualTo(500);
  }

  @Test
  void emptyFetchesTeachNothing() {
    size.fetched(16);
    size.fetched(16);

    assertThat(size.next(500, BUDGET)).isEqualTo(16);
  }

  @Test
  void eventLargerThanEverythingIsFetchedWhenThereIsNoOther() {
    fetched(1, 10 * MB);

    assertThat(size.next(500, 2 * MB)).isEqualTo(1);
    assertThat(size.next(500, MB)).isZero();
    assertThat(size.next(500, 2 * MB)).isEqualTo(1);
  }
}
