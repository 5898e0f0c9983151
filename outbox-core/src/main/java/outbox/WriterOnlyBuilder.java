package outbox;

/** Builds an outbox that writes events and delivers none. */
public final class WriterOnlyBuilder extends OutboxBuilder<WriterOnlyBuilder> {

  WriterOnlyBuilder() {}

  @Override
  WriterOnlyBuilder self() {
    return this;
  }

  @Override
  Engine.Plan plan() {
    return new Engine.Plan(null, null, null, notifications(), false, true);
  }
}
