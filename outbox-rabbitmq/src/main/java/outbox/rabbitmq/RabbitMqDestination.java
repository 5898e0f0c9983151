package outbox.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.destination.Destination;
import outbox.destination.Message;
import outbox.destination.MessageFormat;
import outbox.destination.NameRule;
import outbox.destination.Protocol;
import outbox.internal.Require;

/**
 * Publishes events to RabbitMQ: an event is delivered when the broker has confirmed it and it has
 * reached a queue. Events are published in the order in which they are given, as persistent
 * messages, over one connection that is made again whenever it is lost. Safe for all threads.
 *
 * <pre>{@code
 * Destination destination =
 *     RabbitMqDestination.builder("orders")
 *         .uri("amqp://shop:secret@rabbit:5672/shop")
 *         .exchange("events")
 *         .build();
 * }</pre>
 *
 * <p>What no queue is bound for, and what the broker refuses, is a failed try of that event. What a
 * full queue doesn't take is put off without an attempt. What has no answer when the connection is
 * lost is sent again and may then be there twice.
 */
public final class RabbitMqDestination implements Destination {

  private final String name;
  private final RabbitMqSettings settings;
  private final Failures failures;
  private final Publisher publisher;
  private final Set<Batch> underWay = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();

  private RabbitMqDestination(Builder builder) {
    name = builder.name;
    settings = builder.settings();
    Connector connector =
        new Connector(builder.factory(), builder.addresses, name, builder.connectTimeout);
    failures = new Failures(name, connector.address());
    publisher = new Publisher(name, connector, failures, builder.confirmTimeout);
    publisher.start();
  }

  /** The name is 1 to 32 letters, digits, dots, hyphens and underscores. */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public CompletionStage<?> send(List<EventEnvelope> events, BatchResult result) {
    Batch batch = begun(new Batch(events.size(), result));
    List<Outgoing> outgoing = new ArrayList<>(events.size());
    for (int position = 0; position < events.size(); position++) {
      Outgoing packed = packed(batch, position, events.get(position));
      if (packed != null) {
        outgoing.add(packed);
      }
    }
    publisher.publish(outgoing);
    return batch.stage();
  }

  /** Waits for answers as long as {@code closeTimeout}; events without one come again. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    publisher.finish();
    try {
      CompletableFuture.allOf(underWay.stream().map(Batch::stage).toArray(CompletableFuture[]::new))
          .get(settings.closeTimeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // Those that are left are told so.
    } finally {
      publisher.stop();
    }
  }

  /** Names the broker, and no password. */
  @Override
  public String toString() {
    return failures.toString();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // nothing in it can fail
  private Batch begun(Batch batch) {
    underWay.add(batch);
    batch.stage().whenComplete((value, failure) -> underWay.remove(batch));
    return batch;
  }

  /** Null if that has failed, and the event has its answer. */
  private @Nullable Outgoing packed(Batch batch, int position, EventEnvelope event) {
    try {
      Message message = settings.format().format(event, Protocol.AMQP);
      Outgoing outgoing = new Outgoing(batch, position, event, settings.target(event), message);
      if (message.body().length > settings.maxMessageBytes()) {
        throw failures.tooLarge(
            outgoing, "its body", message.body().length, settings.maxMessageBytes());
      }
      return outgoing;
    } catch (RuntimeException e) {
      batch.failed(event, position, named(event, e));
      return null;
    }
  }

  private static Throwable named(EventEnvelope event, RuntimeException failure) {
    String told = "event %s (%s) can't be sent".formatted(event.eventId(), event.eventType());
    if (String.valueOf(failure.getMessage()).contains(event.eventId())) {
      return failure;
    }
    return failure instanceof NonRetryableException
        ? new NonRetryableException(told, failure)
        : new OutboxException(told, failure);
  }

  /** Builds a {@link RabbitMqDestination}. Needs to know where to connect, and an exchange. */
  public static final class Builder {

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final String name;
    private @Nullable ConnectionFactory factory;
    private List<Address> addresses = List.of();
    private @Nullable NameRule exchange;
    private NameRule routingKey = NameRule.of("{header:routing-key|eventType}");
    private MessageFormat format = MessageFormat.raw();
    private int maxMessageBytes = Integer.MAX_VALUE;
    private Duration connectTimeout = Duration.ofSeconds(5);
    private Duration confirmTimeout = Duration.ofSeconds(15);
    private Duration closeTimeout = Duration.ofSeconds(10);

    private Builder(String name) {
      this.name = Require.notEmpty("name", name);
    }

    /**
     * Such as {@code amqp://user:password@host:5672/virtual-host}, or {@code amqps} for TLS with
     * the JVM's trusted certificates and the host's name verified.
     */
    public Builder uri(String uri) {
      ConnectionFactory parsed = new ConnectionFactory();
      parsed.setRequestedHeartbeat((int) HEARTBEAT.toSeconds());
      ConnectionUri.apply(Objects.requireNonNull(uri, "uri must not be null"), parsed);
      factory = parsed;
      return this;
    }

    /**
     * Instead of {@link #uri}, for whatever else can be set there: certificates, credentials that
     * are renewed, metrics. A copy is used, with automatic recovery off and the timeouts of this
     * builder.
     */
    public Builder connectionFactory(ConnectionFactory factory) {
      this.factory = Objects.requireNonNull(factory, "connectionFactory must not be null").clone();
      return this;
    }

    /** Several nodes of a cluster, such as {@code rabbit-1:5672,rabbit-2:5672}. */
    public Builder addresses(String addresses) {
      this.addresses = List.of(Address.parseAddresses(Require.notEmpty("addresses", addresses)));
      return this;
    }

    /**
     * A name, or a template such as {@code "{tenant}-events"}, as of {@link NameRule#of(String)};
     * the empty name is the broker's default exchange.
     */
    public Builder exchange(String template) {
      Objects.requireNonNull(template, "exchange must not be null");
      return exchange(template.isEmpty() ? event -> "" : NameRule.of(template));
    }

    public Builder exchange(NameRule exchange) {
      this.exchange = Objects.requireNonNull(exchange, "exchange must not be null");
      return this;
    }

    /** Default: {@code "{header:routing-key|eventType}"}. */
    public Builder routingKey(String template) {
      return routingKey(NameRule.of(template));
    }

    public Builder routingKey(NameRule routingKey) {
      this.routingKey = Objects.requireNonNull(routingKey, "routingKey must not be null");
      return this;
    }

    /** Default: {@link MessageFormat#raw}. */
    public Builder format(MessageFormat format) {
      this.format = Objects.requireNonNull(format, "format must not be null");
      return this;
    }

    /**
     * What is larger is refused here, for good; default any size. Set it to the broker's {@code
     * max_message_size} where that is small: the broker would close the channel, and what is under
     * way beside the large one would be sent twice.
     */
    public Builder maxMessageBytes(int maxMessageBytes) {
      this.maxMessageBytes = Require.atLeast(1, "maxMessageBytes", maxMessageBytes);
      return this;
    }

    /** How long each step of making a connection may take; default 5 s. */
    public Builder connectTimeout(Duration connectTimeout) {
      this.connectTimeout = Require.positive("connectTimeout", connectTimeout);
      return this;
    }

    /**
     * How long the broker may confirm nothing while something is to be confirmed; default 15 s.
     * Then the connection is given up. Keep it below the timeout of the guard, 30 s.
     */
    public Builder confirmTimeout(Duration confirmTimeout) {
      this.confirmTimeout = Require.positive("confirmTimeout", confirmTimeout);
      return this;
    }

    /** How long {@link Destination#close} waits for answers; default 10 s. */
    public Builder closeTimeout(Duration closeTimeout) {
      this.closeTimeout = Require.notNegative("closeTimeout", closeTimeout);
      return this;
    }

    /** Connects when the first event is sent: a broker that is away fails nothing here. */
    public RabbitMqDestination build() {
      return new RabbitMqDestination(this);
    }

    private ConnectionFactory factory() {
      return Require.given("uri or connectionFactory", factory);
    }

    private RabbitMqSettings settings() {
      return new RabbitMqSettings(
          Require.given("exchange", exchange), routingKey, format, maxMessageBytes, closeTimeout);
    }
  }
}
