package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class ByteBudgetProperties {

  /** A number that isn't positive gives back what was taken first. */
  @Property
  void moreThanTheLimitIsTakenOnlyByOneAlone(
      @ForAll @LongRange(min = 1, max = 50) long limit,
      @ForAll @Size(max = 60) List<@LongRange(min = -20, max = 60) Long> steps) {
    ByteBudget budget = new ByteBudget(limit);
    Deque<Long> taken = new ArrayDeque<>();
    long used = 0;
    for (long bytes : steps) {
      if (bytes > 0) {
        boolean fits = used == 0 || used + bytes <= limit;
        assertThat(budget.tryTake(bytes)).isEqualTo(fits);
        used += fits ? bytes : 0;
        if (fits) {
          taken.add(bytes);
        }
      } else if (!taken.isEmpty()) {
        used -= taken.peek();
        budget.giveBack(taken.remove());
      }
      assertThat(budget.free()).isEqualTo(Math.max(0, limit - used));
      assertThat(budget.freeForHot()).isBetween(0L, budget.free());
      assertThat(used <= limit || taken.size() == 1).isTrue();
    }
  }

  @Property
  void noLimitIsTooLargeToCount(
      @ForAll @LongRange(min = 1, max = Long.MAX_VALUE) long first,
      @ForAll @LongRange(min = 1, max = Long.MAX_VALUE) long second) {
    ByteBudget budget = new ByteBudget(Long.MAX_VALUE);

    assertThat(budget.tryTake(first)).isTrue();
    assertThat(budget.tryTake(second)).isEqualTo(second <= Long.MAX_VALUE - first);
    assertThat(budget.free()).isNotNegative();
  }
}
