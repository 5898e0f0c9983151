package outbox.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import outbox.model.OutboxEvent;
import outbox.spi.OrderedPage;

class FrontierTest {

  private static final long MOMENT = Frontier.MOMENT.toNanos();

  private final Frontier frontier = new Frontier();

  @Test
  void readsAgainWhatItHasJustRead() {
    accept(page(1, 2, 3), 0);

    assertThat(frontier.start()).isZero();
    assertThat(frontier.highest()).isEqualTo(3);
  }

  @Test
  void goesOnOnceAPageHasPassedTheSameAMomentLater() {
    accept(page(1, 2, 3), 0);
    accept(page(4), MOMENT - 1);
    assertThat(frontier.start()).isZero();

    accept(page(4), MOMENT);

    assertThat(frontier.start()).isEqualTo(3);
  }

  @Test
  void isNotSureAsLongAsOpenTransactionsMayNotShow() {
    frontier.accept(page(1, 2, 3), 0, true, true, false, 0);
    frontier.accept(page(4), 0, true, true, false, MOMENT);

    assertThat(frontier.start()).isZero();
    assertThat(frontier.isUncertain()).isTrue();
  }

  @Test
  void isNotSureOfWhatAFullPageDidNotReach() {
    accept(page(1, 2, 3), 0);

    frontier.accept(page(1, 2), frontier.start(), false, false, true, MOMENT);

    assertThat(frontier.start()).isZero();
  }

  @Test
  void goesOnAtOnceBehindWhatWasWrittenLongAgo() {
    frontier.accept(page(1, 2, 3), 0, false, true, true, 0);

    assertThat(frontier.start()).isEqualTo(3);
  }

  @Test
  void staysBelowAnEventThatIsOpen() {
    OrderedPage withOpen =
        new OrderedPage(rows(3, 5), List.of(new OrderedPage.OpenEvent(4, null)), Set.of());
    frontier.accept(withOpen, 0, true, true, true, 0);

    assertThat(frontier.start()).isEqualTo(3);
    assertThat(frontier.hasOpenEvents()).isTrue();

    frontier.accept(page(4, 5), 3, true, true, true, 1);

    assertThat(frontier.start()).isEqualTo(5);
    assertThat(frontier.hasOpenEvents()).isFalse();
  }

  @Test
  void staysBelowAnOpenEventThoughNothingElseIsLeft() {
    accept(page(3, 5), 0);
    OrderedPage onlyOpen =
        new OrderedPage(List.of(), List.of(new OrderedPage.OpenEvent(4, null)), Set.of());

    frontier.accept(onlyOpen, 0, true, true, true, MOMENT);

    assertThat(frontier.start()).isEqualTo(3);
  }

  @Test
  void passesWhatTheDatabasePassedOverAMomentLater() {
    OrderedPage passedOver = new OrderedPage(List.of(), List.of(), Set.of(), 100);
    frontier.accept(passedOver, 0, true, true, true, 0);
    assertThat(frontier.start()).isZero();
    assertThat(frontier.highest()).isEqualTo(100);

    frontier.accept(passedOver, 0, true, true, true, MOMENT);

    assertThat(frontier.start()).isEqualTo(100);
  }

  @Test
  void refusesAPageThatShowsTheEndOfATransactionThatBeganBelowIt() {
    frontier.accept(page(Set.of(7L), 1, 2), 0, false, true, true, 0);
    assertThat(frontier.start()).isEqualTo(2);
    assertThat(frontier.settled()).isZero();

    boolean accepted = frontier.accept(page(3), 2, true, true, true, 1);

    assertThat(accepted).isFalse();
    assertThat(frontier.start()).isZero();
    assertThat(frontier.accept(page(1, 2, 3), 0, true, true, true, 2)).isTrue();
    assertThat(frontier.start()).isEqualTo(3);
  }

  @Test
  void aTransactionThatStaysOpenHoldsNothingUp() {
    frontier.accept(page(Set.of(7L), 1, 2), 0, false, true, true, 0);

    assertThat(frontier.accept(page(Set.of(7L), 3), 2, true, true, true, 1)).isTrue();

    assertThat(frontier.start()).isEqualTo(3);
  }

  @Test
  void aTransactionThatEndsIsReadFromWhereItWasFirstSeen() {
    frontier.accept(page(Set.of(7L), 1, 2), 0, false, true, true, 0);
    frontier.accept(page(Set.of(7L, 8L), 3), 2, true, true, true, 1);
    frontier.accept(page(Set.of(7L, 8L), 4), 3, true, true, true, 2);

    assertThat(frontier.accept(page(Set.of(7L), 5), 4, true, true, true, 3)).isFalse();

    assertThat(frontier.start()).isEqualTo(2);
  }

  @Test
  void readsOnBehindAFullPageOfWhatWasCommittedLate() {
    frontier.accept(page(Set.of(7L), 5), 0, true, true, true, 0);
    assertThat(frontier.start()).isEqualTo(5);
    frontier.accept(page(6), 5, true, true, true, 1);
    assertThat(frontier.start()).isZero();

    assertThat(frontier.accept(page(1, 2), 0, false, false, true, 2)).isTrue();

    assertThat(frontier.start()).isEqualTo(2);
    assertThat(frontier.accept(page(3, 4), 2, false, false, true, 3)).isTrue();
    assertThat(frontier.accept(page(6), 4, true, false, true, 4)).isTrue();
    assertThat(frontier.start()).isEqualTo(5);
  }

  @Test
  void readsOnBehindAFullPageOfEventsThatWereOpen() {
    OrderedPage withOpen =
        new OrderedPage(rows(5), List.of(new OrderedPage.OpenEvent(1, null)), Set.of());
    frontier.accept(withOpen, 0, true, true, true, 0);
    assertThat(frontier.start()).isZero();

    assertThat(frontier.accept(page(1, 2), 0, false, false, true, 1)).isTrue();

    assertThat(frontier.start()).isEqualTo(2);
  }

  @Test
  void beginsAnewAfterARewind() {
    frontier.accept(page(Set.of(7L), 1, 2), 0, true, true, true, 0);

    frontier.rewind(0);

    assertThat(frontier.start()).isZero();
    assertThat(frontier.settled()).isZero();
    assertThat(frontier.highest()).isEqualTo(2);
  }

  /** The last page of the young, from where the reading stands. */
  private void accept(OrderedPage page, long nanos) {
    assertThat(frontier.accept(page, frontier.start(), true, false, true, nanos)).isTrue();
  }

  private static OrderedPage page(long... numbers) {
    return page(Set.of(), numbers);
  }

  private static OrderedPage page(Set<Long> openTransactions, long... numbers) {
    return new OrderedPage(rows(numbers), List.of(), openTransactions);
  }

  private static List<OrderedPage.Row> rows(long... numbers) {
    return Arrays.stream(numbers).boxed().flatMap(seq -> Stream.of(row(seq))).toList();
  }

  private static OrderedPage.Row row(long seq) {
    OutboxEvent event =
        new OutboxEvent("e" + seq, "T", "A", "a", null, "{}", null, 0, Instant.EPOCH);
    return new OrderedPage.Row(seq, 0, event, Instant.EPOCH);
  }
}
