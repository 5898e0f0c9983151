package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class MailboxProperties {

  enum Step {
    PUT,
    ADD,
    OFFER,
    NUDGE,
    TAKE_ALL,
    CLOSE
  }

  @Property
  void whatWasAcceptedIsTakenOnceAndInOrder(
      @ForAll @IntRange(min = 1, max = 5) int capacity, @ForAll @Size(max = 40) List<Step> steps) {
    Mailbox<Integer> mailbox = new Mailbox<>(capacity);
    List<Integer> waiting = new ArrayList<>();
    boolean closed = false;
    for (int value = 0; value < steps.size(); value++) {
      boolean isFull = waiting.size() >= capacity;
      boolean accepted = false;
      switch (steps.get(value)) {
        case PUT -> accepted = (closed || !isFull) && mailbox.put(value); // else it would wait
        case ADD -> accepted = mailbox.add(value);
        case OFFER -> {
          accepted = mailbox.offer(value);
          assertThat(accepted).isEqualTo(!closed && !isFull);
        }
        case NUDGE -> mailbox.nudge();
        case TAKE_ALL -> {
          assertThat(mailbox.takeAll(0)).isEqualTo(waiting);
          waiting.clear();
        }
        case CLOSE -> {
          mailbox.close();
          closed = true;
        }
      }
      if (accepted) {
        assertThat(closed).isFalse();
        waiting.add(value);
      }
      assertThat(mailbox.isClosed()).isEqualTo(closed);
      assertThat(mailbox.isClosedAndEmpty()).isEqualTo(closed && waiting.isEmpty());
    }
  }
}
