package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class OrderedReadsProperties {

  @Property
  void openTransactionsAreReadFromASnapshot(
      @ForAll @LongRange(min = 3, max = Long.MAX_VALUE) long lowest,
      @ForAll @Size(max = 20) Set<@LongRange(min = 3, max = Long.MAX_VALUE) Long> open) {
    String list = open.stream().map(String::valueOf).collect(Collectors.joining(","));

    assertThat(OrderedReads.openTransactions(lowest + ":" + Long.MAX_VALUE + ":" + list))
        .isEqualTo(open);
  }
}
