package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import outbox.EventEnvelope;

/** Against two plain queues and a list of turns. */
class FairQueueProperties {

  private static final EventEnvelope ENVELOPE = EventEnvelope.ofJson("T", "{}");

  enum Step {
    OFFER_HOT,
    OFFER_COLD,
    TAKE,
    PARK,
    RESUME,
    UNPARK,
    CLOSE,
    DRAIN
  }

  private static final class Model {

    final FairQueue queue;
    final int hotCapacity;
    final int coldCapacity;
    final Deque<Delivery> hot = new ArrayDeque<>();
    final Deque<Delivery> cold = new ArrayDeque<>();
    final Deque<Delivery> parked = new ArrayDeque<>();
    int taken;
    boolean closed;

    Model(int hotCapacity, int coldCapacity) {
      this.hotCapacity = hotCapacity;
      this.coldCapacity = coldCapacity;
      queue = new FairQueue(hotCapacity, coldCapacity);
    }

    void run(Step step) {
      switch (step) {
        case OFFER_HOT -> offer(QueuedEvent.Source.HOT);
        case OFFER_COLD -> offer(QueuedEvent.Source.COLD);
        case TAKE -> take();
        case PARK -> park();
        case RESUME -> resume();
        case UNPARK -> unpark();
        case CLOSE -> close();
        case DRAIN -> drain();
      }
    }

    void offer(QueuedEvent.Source source) {
      Delivery delivery =
          new Delivery(new QueuedEvent(ENVELOPE, source, taken), InFlight.Hold.NONE, null);
      boolean fits = !closed && depth(delivery.isHot()) < capacity(delivery.isHot());
      assertThat(queue.offer(delivery)).isEqualTo(fits);
      if (fits) {
        side(delivery.isHot()).addLast(delivery);
      }
    }

    /** Every third is a cold one, if there are both. */
    Delivery next() {
      Deque<Delivery> first = taken % 3 == 2 ? cold : hot;
      Deque<Delivery> second = first == hot ? cold : hot;
      Delivery next = first.isEmpty() ? second.pollFirst() : first.pollFirst();
      taken += next == null ? 0 : 1;
      return next;
    }

    void take() {
      if (hot.size() + cold.size() > 0) {
        assertThat(queue.take()).isSameAs(next());
      } else if (closed && parked.isEmpty()) {
        assertThat(queue.take()).isNull();
      }
    }

    void park() {
      Delivery next = next();
      if (next != null) {
        assertThat(queue.take()).isSameAs(next);
        queue.park(next);
        parked.addLast(next);
      }
    }

    void resume() {
      Delivery first = parked.pollFirst();
      if (first != null) {
        queue.resume(first);
        side(first.isHot()).addFirst(first);
      }
    }

    void unpark() {
      queue.unpark(List.copyOf(parked));
      parked.clear();
    }

    void close() {
      queue.close();
      closed = true;
    }

    void drain() {
      List<Delivery> expected = new ArrayList<>();
      for (Delivery next = next(); next != null; next = next()) {
        expected.add(next);
      }
      assertThat(queue.drain()).containsExactlyElementsOf(expected);
    }

    void compare() {
      assertThat(queue.hotDepth()).isEqualTo(depth(true));
      assertThat(queue.coldDepth()).isEqualTo(depth(false));
      assertThat(queue.hotRemainingCapacity()).isEqualTo(room(true));
      assertThat(queue.coldRemainingCapacity()).isEqualTo(room(false));
      assertThat(queue.hasRoom(true)).isEqualTo(room(true) > 0);
      assertThat(queue.hasRoom(false)).isEqualTo(room(false) > 0);
    }

    Deque<Delivery> side(boolean isHot) {
      return isHot ? hot : cold;
    }

    int capacity(boolean isHot) {
      return isHot ? hotCapacity : coldCapacity;
    }

    int depth(boolean isHot) {
      return side(isHot).size()
          + (int) parked.stream().filter(delivery -> delivery.isHot() == isHot).count();
    }

    int room(boolean isHot) {
      return closed ? 0 : Math.max(0, capacity(isHot) - depth(isHot));
    }
  }

  @Property
  void behavesAsItsModel(
      @ForAll @IntRange(min = 1, max = 5) int hotCapacity,
      @ForAll @IntRange(min = 1, max = 5) int coldCapacity,
      @ForAll("steps") List<Step> steps) {
    Model model = new Model(hotCapacity, coldCapacity);

    for (Step step : steps) {
      model.run(step);
      model.compare();
    }
  }

  @Property
  void ofAnyThreeInARowOneIsColdWhileBothWait(@ForAll @IntRange(max = 7) int before) {
    Model model = new Model(100, 100);
    for (int i = 0; i < 50; i++) {
      model.offer(QueuedEvent.Source.HOT);
      model.offer(QueuedEvent.Source.COLD);
    }
    for (int i = 0; i < before; i++) {
      model.take();
    }

    List<Work> three = List.of(model.queue.take(), model.queue.take(), model.queue.take());

    assertThat(three.stream().filter(Work::isHot)).hasSize(2);
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Arbitraries.frequencyOf(
            Tuple.of(10, Arbitraries.of(Step.OFFER_HOT, Step.OFFER_COLD, Step.TAKE)),
            Tuple.of(6, Arbitraries.of(Step.PARK, Step.RESUME, Step.UNPARK)),
            Tuple.of(1, Arbitraries.of(Step.CLOSE, Step.DRAIN)))
        .list()
        .ofMaxSize(60);
  }
}
