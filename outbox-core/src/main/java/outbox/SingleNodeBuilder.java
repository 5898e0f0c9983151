package outbox;

import outbox.poller.OutboxPoller;

/** Builds the outbox of a process that is alone on its table. */
public final class SingleNodeBuilder extends PollingBuilder<SingleNodeBuilder> {

  SingleNodeBuilder() {}

  @Override
  SingleNodeBuilder self() {
    return this;
  }

  @Override
  OutboxPoller.Builder claiming(OutboxPoller.Builder builder) {
    return builder;
  }
}
