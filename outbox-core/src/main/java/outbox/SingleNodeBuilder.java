package outbox;

import java.util.function.UnaryOperator;
import outbox.poller.OutboxPoller;

/** Builds the outbox of a process that is alone on its table. */
public final class SingleNodeBuilder extends PollingBuilder<SingleNodeBuilder> {

  SingleNodeBuilder() {}

  @Override
  SingleNodeBuilder self() {
    return this;
  }

  @Override
  UnaryOperator<OutboxPoller.Builder> claiming() {
    return UnaryOperator.identity();
  }
}
