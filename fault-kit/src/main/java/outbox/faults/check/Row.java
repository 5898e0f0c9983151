package outbox.faults.check;

import outbox.faults.history.Entry.Event;

/** An event as the table has it when all is over. */
public record Row(Event event, int status, int attempts) {

  private static final int DONE = 1;
  private static final int DEAD = 3;

  public boolean isDone() {
    return status == DONE;
  }

  public boolean isDead() {
    return status == DEAD;
  }

  public boolean isPending() {
    return !isDone() && !isDead();
  }
}
