package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MailboxTest {

  @Test
  void takerGetsAllThereIsInOrder() {
    Mailbox<Integer> mailbox = new Mailbox<>(10);

    mailbox.put(1);
    mailbox.offer(2);
    mailbox.put(3);

    assertThat(mailbox.takeAll(0)).containsExactly(1, 2, 3);
    assertThat(mailbox.takeAll(0)).isEmpty();
  }

  @Test
  void offerDoesNotWaitForRoom() {
    Mailbox<Integer> mailbox = new Mailbox<>(1);

    assertThat(mailbox.offer(1)).isTrue();
    assertThat(mailbox.offer(2)).isFalse();

    mailbox.takeAll(0);
    assertThat(mailbox.offer(3)).isTrue();
  }

  @Test
  void whatIsAddedNeedsNoRoomButAnOpenMailbox() {
    Mailbox<Integer> mailbox = new Mailbox<>(1);

    assertThat(mailbox.add(1)).isTrue();
    assertThat(mailbox.add(2)).isTrue();
    assertThat(mailbox.takeAll(0)).containsExactly(1, 2);

    mailbox.close();
    assertThat(mailbox.add(3)).isFalse();
  }

  @Test
  void roomIsWaitedForUntilThereIsSomeOrTheMailboxCloses() {
    Mailbox<Integer> mailbox = new Mailbox<>(1);
    mailbox.awaitRoom();
    mailbox.put(1);
    CompletableFuture<Void> waiting = CompletableFuture.runAsync(mailbox::awaitRoom);
    assertThat(waiting).isNotDone();

    mailbox.takeAll(0);

    assertThat(waiting).succeedsWithin(60, TimeUnit.SECONDS);
    mailbox.put(2);
    CompletableFuture<Void> waitingAgain = CompletableFuture.runAsync(mailbox::awaitRoom);
    mailbox.close();
    assertThat(waitingAgain).succeedsWithin(60, TimeUnit.SECONDS);
  }

  @Test
  void putWaitsForRoomThroughInterrupts() {
    Mailbox<Integer> mailbox = new Mailbox<>(1);
    mailbox.put(1);
    AtomicReference<Thread> putter = new AtomicReference<>();
    CompletableFuture<Boolean> put =
        CompletableFuture.supplyAsync(
            () -> {
              putter.set(Thread.currentThread());
              return mailbox.put(2);
            });
    await().atMost(Duration.ofMinutes(1)).until(() -> isWaiting(putter.get()));
    putter.get().interrupt();
    assertThat(put).isNotDone();

    assertThat(mailbox.takeAll(0)).containsExactly(1);

    assertThat(put).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo(true);
    assertThat(mailbox.takeAll(0)).containsExactly(2);
  }

  @Test
  void takerWaitsForTheFirstValue() {
    Mailbox<Integer> mailbox = new Mailbox<>(10);
    CompletableFuture<List<Integer>> taken =
        CompletableFuture.supplyAsync(() -> mailbox.takeAll(Long.MAX_VALUE));

    mailbox.put(1);

    assertThat(taken).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo(List.of(1));
  }

  @Test
  void takerGivesUpInTime() {
    Mailbox<Integer> mailbox = new Mailbox<>(10);

    assertThat(mailbox.takeAll(Duration.ofMillis(5).toNanos())).isEmpty();
  }

  @Test
  void closeEndsAllWaiting() {
    Mailbox<Integer> full = new Mailbox<>(1);
    full.put(1);
    Mailbox<Integer> empty = new Mailbox<>(1);
    CompletableFuture<Boolean> put = CompletableFuture.supplyAsync(() -> full.put(2));
    CompletableFuture<List<Integer>> taken =
        CompletableFuture.supplyAsync(() -> empty.takeAll(Long.MAX_VALUE));

    full.close();
    empty.close();

    assertThat(put).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo(false);
    assertThat(taken).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo(List.of());
  }

  @Test
  void closedMailboxTakesNothingButIsStillEmptied() {
    Mailbox<Integer> mailbox = new Mailbox<>(10);
    mailbox.put(1);

    mailbox.close();

    assertThat(mailbox.put(2)).isFalse();
    assertThat(mailbox.offer(3)).isFalse();
    assertThat(mailbox.isClosedAndEmpty()).isFalse();
    assertThat(mailbox.takeAll(Long.MAX_VALUE)).containsExactly(1);
    assertThat(mailbox.isClosedAndEmpty()).isTrue();
  }

  @Test
  void nothingIsLostAmongManyPutters() {
    Mailbox<Integer> mailbox = new Mailbox<>(3);
    List<CompletableFuture<Void>> putters =
        IntStream.range(0, 4)
            .mapToObj(
                p ->
                    CompletableFuture.runAsync(
                        () -> IntStream.range(0, 5000).forEach(i -> mailbox.put(p * 5000 + i)),
                        command -> new Thread(command).start()))
            .toList();

    List<Integer> taken = new ArrayList<>();
    while (taken.size() < 20_000) {
      taken.addAll(mailbox.takeAll(Long.MAX_VALUE));
    }

    putters.forEach(CompletableFuture::join);
    assertThat(taken).doesNotHaveDuplicates().hasSize(20_000);
  }

  private static boolean isWaiting(Thread thread) {
    return thread != null && thread.getState() == Thread.State.WAITING;
  }
}
