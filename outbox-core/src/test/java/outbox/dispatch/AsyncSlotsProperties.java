package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import outbox.AsyncEventListener;
import outbox.EventEnvelope;

/** Listeners come and go in any order, and what is called doesn't always come for its slot. */
class AsyncSlotsProperties {

  private static final EventEnvelope ENVELOPE = EventEnvelope.ofJson("T", "{}");

  enum Step {
    ASK,
    GIVE_BACK,
    PUT_OFF,
    COME,
    COME_IN_VAIN,
    STAY_AWAY,
    HAVE_ENOUGH,
    ASK_AGAIN
  }

  private static final class Model {

    final FairQueue queue = new FairQueue(1000, 1000);
    final AsyncSlots slots;
    final int total;
    final List<AsyncEventListener> listeners = new ArrayList<>();
    final IdentityHashMap<Delivery, Passenger> passengers = new IdentityHashMap<>();
    final Deque<Passenger> called = new ArrayDeque<>();
    final int[] held;
    final int[] underWay;
    final int[] waiting;
    final boolean[] full;

    /** Who has answered. */
    final boolean[] proven;

    Model(int total, int count) {
      this.total = total;
      slots = new AsyncSlots(queue, total, () -> 0);
      for (int i = 0; i < count; i++) {
        listeners.add(AsyncSlotsTest.listener());
      }
      held = new int[count];
      underWay = new int[count];
      waiting = new int[count];
      full = new boolean[count];
      proven = new boolean[count];
    }

    void run(Step step, int who) {
      switch (step) {
        case ASK -> ask(who);
        case GIVE_BACK -> giveBack(who);
        case PUT_OFF -> putOff(who);
        case COME, COME_IN_VAIN, STAY_AWAY -> come(step);
        case HAVE_ENOUGH -> haveEnough();
        case ASK_AGAIN -> askAgain();
      }
      follow();
    }

    void ask(int who) {
      QueuedEvent event = new QueuedEvent(ENVELOPE, QueuedEvent.Source.HOT, 0);
      Delivery delivery = new Delivery(event, InFlight.Hold.NONE, null);
      Passenger passenger = new Passenger(delivery, listeners.get(who));
      passengers.put(delivery, passenger);
      int expected = mayHaveOne(who) ? 1 : 0;
      assertThat(slots.take(passenger.listener(), 1, passenger)).isEqualTo(expected);
      held[who] += expected;
      underWay[who] += expected;
      waiting[who] += 1 - expected;
    }

    void giveBack(int who) {
      if (underWay[who] > 0) {
        underWay[who]--;
        held[who]--;
        Arrays.fill(full, false);
        proven[who] = true;
        slots.answered(listeners.get(who), 1, Duration.ZERO);
      }
    }

    /** Whoever was called waits on, though there are slots. */
    void haveEnough() {
      Passenger next = called.pollFirst();
      if (next != null) {
        int who = listeners.indexOf(next.listener());
        held[who]--;
        waiting[who]++;
        full[who] = true;
        slots.hold(next.listener(), next, slots.returned());
      }
    }

    void askAgain() {
      Arrays.fill(full, false);
      slots.askAgain();
    }

    void putOff(int who) {
      assertThat(slots.takeOut(listeners.get(who), delivery -> true)).hasSize(waiting[who]);
      waiting[who] = 0;
      full[who] = false;
    }

    /** Whoever was called finds its slot, whatever it does with it. */
    void come(Step how) {
      Passenger next = called.pollFirst();
      if (next == null) {
        return;
      }
      int who = listeners.indexOf(next.listener());
      if (how == Step.STAY_AWAY) {
        slots.forgo(next);
      } else {
        assertThat(slots.take(next.listener(), 1, next)).isEqualTo(1);
      }
      if (how == Step.COME_IN_VAIN) {
        slots.leave(next.listener(), 1);
      }
      underWay[who] += how == Step.COME ? 1 : 0;
      held[who] -= how == Step.COME ? 0 : 1;
    }

    void follow() {
      for (Delivery delivery : queue.drain()) {
        Passenger passenger = passengers.get(delivery);
        called.addLast(passenger);
        int who = listeners.indexOf(passenger.listener());
        held[who]++;
        waiting[who]--;
      }
    }

    boolean mayHaveOne(int who) {
      if (full[who]) {
        return false;
      }
      int free = total - Arrays.stream(held).sum();
      int about = Arrays.stream(held).sum() + Arrays.stream(waiting).sum();
      int most = proven[who] || total < 8 ? total - total / 8 : total / 4;
      if (about == held[who] + waiting[who]) {
        return held[who] < most;
      }
      return held[who] == 0 ? free > 0 : held[who] + 1 <= free - 1 && held[who] < most;
    }

    void compare() {
      int about = 0;
      for (int i = 0; i < held.length; i++) {
        about += held[i] + waiting[i] > 0 ? 1 : 0;
        assertThat(waiting[i] > 0 && mayHaveOne(i)).as("waits though it may have one").isFalse();
      }
      assertThat(Arrays.stream(held).sum()).isBetween(0, total);
      assertThat(slots.listeners()).isEqualTo(about);
      assertThat(queue.hotDepth()).isEqualTo(Arrays.stream(waiting).sum());
    }
  }

  @Property
  void nobodyWaitsWhoMayHaveASlot(
      @ForAll @IntRange(min = 1, max = 20) int total,
      @ForAll @IntRange(min = 1, max = 4) int count,
      @ForAll @Size(max = 200) List<Step> steps,
      @ForAll @Size(200) List<@IntRange(max = 3) Integer> who) {
    Model model = new Model(total, count);

    for (int i = 0; i < steps.size(); i++) {
      model.run(steps.get(i), who.get(i) % count);
      model.compare();
    }

    for (int i = 0; i < 2 * steps.size(); i++) {
      model.run(Step.ASK_AGAIN, 0);
      model.run(Step.COME_IN_VAIN, 0);
      for (int each = 0; each < count; each++) {
        model.run(Step.GIVE_BACK, each);
      }
    }
    assertThat(model.slots.listeners()).as("left waiting for ever").isZero();
  }
}
