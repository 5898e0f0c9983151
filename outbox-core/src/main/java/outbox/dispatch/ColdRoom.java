package outbox.dispatch;

import outbox.model.EventKind;
import outbox.poller.Demand;

/** How much of what is in the database may be fetched, so that the cold queue takes all of it. */
final class ColdRoom {

  private final FairQueue queue;
  private final ByteBudget budget;
  private final LeaseKeeper leases;
  private final Router router;

  ColdRoom(FairQueue queue, ByteBudget budget, LeaseKeeper leases, Router router) {
    this.queue = queue;
    this.budget = budget;
    this.leases = leases;
    this.router = router;
  }

  /** In events: none while their claims could not be renewed. */
  int free() {
    return leases.areKept() ? queue.coldRemainingCapacity() : 0;
  }

  long freeBytes() {
    return budget.free();
  }

  /** Likewise in events, with regard to what waits already. */
  Demand demand(int mostUnfinished) {
    return leases.areKept() ? queue.coldDemand(router.hasSeveral(), mostUnfinished) : Demand.of(0);
  }

  /** Whether too many such events wait here, or their listener takes none for now. */
  boolean holdsBack(EventKind kind) {
    return router.isWithdrawn(kind) || queue.isCrowded(kind, router.hasSeveral());
  }
}
