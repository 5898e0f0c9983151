package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import outbox.EventEnvelope;
import outbox.internal.EventSize;

/** Against a table of who holds which event, and who comes after. */
class InFlightProperties {

  private static final int EVENTS = 3;
  private static final long LIMIT = 1 << 20;

  enum Kind {
    HOLD,
    HOLD_FETCHED,
    TRIED,
    UNTRIED,
    ENDED_AGAIN,
    POLL_STARTS,
    POLL_ENDS
  }

  /** An event that is held, and the attempts of what was fetched meanwhile; -1: nothing was. */
  private static final class Held {
    final Delivery delivery;
    int next = -1;

    Held(Delivery delivery) {
      this.delivery = delivery;
    }
  }

  @Property
  void behavesAsItsModel(
      @ForAll @Size(max = 60) List<Kind> kinds,
      @ForAll @Size(60) List<@IntRange(max = EVENTS - 1) Integer> events,
      @ForAll @Size(60) List<@IntRange(max = 3) Integer> attempts) {
    Model model = new Model();
    for (int i = 0; i < kinds.size(); i++) {
      model.run(kinds.get(i), events.get(i), attempts.get(i));
      model.compare();
    }
  }

  private static final class Model {
    private final List<EventEnvelope> envelopes = new ArrayList<>();
    private final ByteBudget budget = new ByteBudget(LIMIT);
    private final List<QueuedEvent> turns = new ArrayList<>();
    private final InFlight inFlight =
        new InFlight(new DefaultInFlightTracker(), budget, next -> turns.add(next.event()));
    private final Map<Integer, Held> held = new HashMap<>();
    private final List<Delivery> over = new ArrayList<>();
    private final Map<Integer, Integer> endedDuringPoll = new HashMap<>();
    private boolean isPolling;

    Model() {
      for (int i = 0; i < EVENTS; i++) {
        envelopes.add(EventEnvelope.ofJson("T", "{}"));
      }
    }

    void run(Kind kind, int event, int attempts) {
      switch (kind) {
        case HOLD -> held(event, inFlight.hold(queued(event, attempts), null));
        case HOLD_FETCHED -> {
          Held holder = held.get(event);
          held(event, inFlight.holdFetched(queued(event, attempts), null, null));
          if (holder != null) {
            holder.next = attempts;
          }
        }
        case TRIED -> end(event, 1);
        case UNTRIED -> end(event, 0);
        case ENDED_AGAIN -> over.forEach(delivery -> delivery.hold().tried());
        case POLL_STARTS -> {
          inFlight.pollStarts();
          isPolling = true;
          endedDuringPoll.clear();
        }
        case POLL_ENDS -> {
          inFlight.pollEnds();
          isPolling = false;
          endedDuringPoll.clear();
        }
      }
    }

    private void held(int event, Delivery delivery) {
      assertThat(delivery == null).isEqualTo(held.containsKey(event));
      if (delivery != null) {
        assertThat(delivery.hold().fits()).isTrue();
        held.put(event, new Held(delivery));
      }
    }

    private void end(int event, int tries) {
      Held holder = held.remove(event);
      if (holder == null) {
        return;
      }
      int fewest = holder.delivery.event().attempts() + tries;
      turns.clear();
      if (tries == 1) {
        holder.delivery.hold().tried();
      } else {
        holder.delivery.hold().untried();
      }
      over.add(holder.delivery);
      if (isPolling) {
        endedDuringPoll.merge(event, fewest, Math::max);
      }
      boolean hasTurn = holder.next >= fewest;
      assertThat(turns).hasSize(hasTurn ? 1 : 0);
    }

    void compare() {
      assertThat(inFlight.count()).isEqualTo(held.size());
      assertThat(inFlight.deliveries())
          .containsExactlyInAnyOrderElementsOf(
              held.values().stream().map(holder -> holder.delivery).toList());
      assertThat(budget.free()).isEqualTo(LIMIT - held.size() * EventSize.of(envelopes.get(0)));
      assertThat(over).noneMatch(Delivery::isOurs);
      for (int event = 0; event < EVENTS; event++) {
        int fewest = endedDuringPoll.getOrDefault(event, 0);
        assertThat(inFlight.isStale(queued(event, fewest))).isFalse();
        assertThat(fewest == 0 || inFlight.isStale(queued(event, fewest - 1))).isTrue();
      }
    }

    private QueuedEvent queued(int event, int attempts) {
      return new QueuedEvent(envelopes.get(event), QueuedEvent.Source.COLD, attempts);
    }
  }
}
