package outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UlidTest {

  private static final class AllOnes extends SecureRandom {
    @Override
    public void nextBytes(byte[] bytes) {
      Arrays.fill(bytes, (byte) -1);
    }
  }

  private static Clock at(long millis) {
    return Clock.fixed(Instant.ofEpochMilli(millis), ZoneOffset.UTC);
  }

  @Test
  void idHasTwentySixCharactersOfCrockfordsAlphabet() {
    assertThat(Ulid.next()).matches("[0-7][0-9A-HJKMNP-TV-Z]{25}");
  }

  @Test
  void firstTenCharactersAreTheTime() {
    assertThat(new Ulid(at(0), new SecureRandom()).generate()).startsWith("0000000000");
    assertThat(new Ulid(at(1), new SecureRandom()).generate()).startsWith("0000000001");
    assertThat(new Ulid(at(32), new SecureRandom()).generate()).startsWith("0000000010");
    assertThat(new Ulid(at(1469918176385L), new SecureRandom()).generate())
        .startsWith("01ARYZ6S41");
  }

  @Test
  void idsGrowWithinAMillisecond() {
    Ulid ulid = new Ulid(at(1000), new SecureRandom());

    List<String> ids = IntStream.range(0, 10_000).mapToObj(i -> ulid.generate()).toList();

    assertThat(ids).isSorted().doesNotHaveDuplicates();
    assertThat(ids.stream().map(id -> id.substring(0, 10)).distinct()).hasSize(1);
  }

  @Test
  void idsGrowWhenTheClockGoesBack() {
    AtomicLong millis = new AtomicLong(5000);
    Ulid ulid = new Ulid(moving(millis), new SecureRandom());

    List<String> ids = new ArrayList<>();
    for (long now : new long[] {5000, 4000, 5000, 1, 5001, 4999}) {
      millis.set(now);
      ids.add(ulid.generate());
    }

    assertThat(ids).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void exhaustedMillisecondBorrowsTheNext() {
    Ulid ulid = new Ulid(at(1000), new AllOnes());

    String last = ulid.generate();
    String next = ulid.generate();

    assertThat(last).endsWith("ZZZZZZZZZZZZZZZZ");
    assertThat(next).endsWith("0000000000000000").isGreaterThan(last);
  }

  @Test
  void idsAreUniqueAndGrowOnEachThread() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<String> all = new ArrayList<>();
    try {
      List<Callable<List<String>>> work =
          IntStream.range(0, 4)
              .mapToObj(
                  t ->
                      (Callable<List<String>>)
                          () ->
                              IntStream.range(0, 20_000)
                                  .mapToObj(i -> Ulid.next())
                                  .collect(Collectors.toList()))
              .toList();
      for (Future<List<String>> result : threads.invokeAll(work)) {
        assertThat(result.get()).isSorted();
        all.addAll(result.get());
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(all.stream().distinct()).hasSize(80_000);
  }

  private static Clock moving(AtomicLong millis) {
    return new Clock() {
      @Override
      public java.time.ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(java.time.ZoneId zone) {
        return this;
      }

      @Override
      public Instant instant() {
        return Instant.ofEpochMilli(millis.get());
      }
    };
  }
}
