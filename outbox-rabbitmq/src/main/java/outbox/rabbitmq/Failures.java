package outbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import java.net.UnknownHostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.destination.UnavailableException;
import outbox.internal.RateLimitedLog;
import outbox.internal.SafeLogger;

/** What went wrong, in words: what happened, to which event, and what to do about it. */
final class Failures {

  private static final int TOO_LARGE = 311;

  private final RateLimitedLog nacks = new RateLimitedLog(SafeLogger.of(RabbitMqDestination.class));
  private final String name;
  private final String address;

  /**
   * @param address for people to read, without a password
   */
  Failures(String name, String address) {
    this.name = name;
    this.address = address;
  }

  /** The exchange took it, and had no queue for it. */
  OutboxException returned(Outgoing event, Return answer) {
    return new OutboxException(
        "%s reached no queue at %s: %d %s from %s; bind a queue to that exchange for this routing key"
            .formatted(event, this, answer.getReplyCode(), answer.getReplyText(), event.target()),
        null);
  }

  /** Some queue has no room, or is in trouble; the broker says nothing more. */
  NackedException nacked(Outgoing event) {
    String told =
        "%s was not taken by %s, which answered basic.nack: %s; a queue that is full or in trouble does that, and so do some brokers if no queue is bound"
            .formatted(event, this, event.target());
    nacks.warn(
        1,
        times -> told + "; such events wait without losing attempts: nacked=%d".formatted(times));
    return new NackedException(told);
  }

  /** The broker has closed a channel, or the connection, because of this event. */
  OutboxException blamed(Outgoing event, ShutdownSignalException cause) {
    String told =
        "%s was refused by %s: %s; %s".formatted(event, this, reason(cause), event.target());
    return switch (code(cause)) {
      case AMQP.NOT_FOUND ->
          new OutboxException(told + "; declare the exchange, or send to another one", cause);
      case AMQP.ACCESS_REFUSED ->
          new OutboxException(
              told + "; let the user write to that exchange with this routing key", cause);
      case TOO_LARGE -> new NonRetryableException(told, cause);
      case AMQP.PRECONDITION_FAILED ->
          reason(cause).contains("max size")
              ? new NonRetryableException(told, cause)
              : new OutboxException(told, cause);
      default -> new OutboxException(told, cause);
    };
  }

  NonRetryableException tooLarge(Outgoing event, String what, long size, long limit) {
    return new NonRetryableException(
        "%s is too large for %s: %s must be at most %d bytes, got: %d"
            .formatted(event, this, what, limit, size));
  }

  NonRetryableException unsendable(Outgoing event, RuntimeException cause) {
    return new NonRetryableException(
        "%s can't be sent by %s: %s".formatted(event, this, cause.getMessage()), cause);
  }

  UnavailableException unreachable(Exception cause) {
    return new UnavailableException(
        "%s can't be reached: %s".formatted(this, explained(cause)), cause);
  }

  UnavailableException lost(@Nullable Throwable cause) {
    return new UnavailableException(
        "%s lost its connection: %s; events without an answer are sent again"
            .formatted(this, cause == null ? "closed" : reason(cause)),
        cause);
  }

  UnavailableException blocked(String reason) {
    return new UnavailableException(
        "%s is blocked by its broker, which takes no messages for now: %s".formatted(this, reason),
        null);
  }

  UnavailableException silent(Duration timeout) {
    return new UnavailableException(
        "%s has confirmed nothing for %s; events without an answer are sent again"
            .formatted(this, timeout),
        null);
  }

  UnavailableException closed() {
    return new UnavailableException(this + " is closed", null);
  }

  static int code(ShutdownSignalException cause) {
    Method reason = cause.getReason();
    if (reason instanceof AMQP.Channel.Close channel) {
      return channel.getReplyCode();
    }
    return reason instanceof AMQP.Connection.Close connection ? connection.getReplyCode() : 0;
  }

  @Override
  public String toString() {
    return "RabbitMQ destination %s (%s)".formatted(name, address);
  }

  private static String explained(Exception cause) {
    if (cause instanceof AuthenticationFailureException
        || cause instanceof PossibleAuthenticationFailureException) {
      return "user name or password is wrong (%s)".formatted(cause.getMessage());
    }
    if (cause instanceof UnknownHostException) {
      return "host is unknown (%s)".formatted(cause.getMessage());
    }
    Throwable deeper = cause.getCause();
    String told = reason(deeper instanceof ShutdownSignalException ? deeper : cause);
    return told.isEmpty() ? cause.getClass().getSimpleName() : told;
  }

  /** What the broker said, where it said something. */
  private static String reason(Throwable cause) {
    if (cause instanceof ShutdownSignalException signal) {
      Method reason = signal.getReason();
      if (reason instanceof AMQP.Channel.Close channel) {
        return "%d %s".formatted(channel.getReplyCode(), channel.getReplyText());
      }
      if (reason instanceof AMQP.Connection.Close connection) {
        return "%d %s".formatted(connection.getReplyCode(), connection.getReplyText());
      }
    }
    String message = cause.getMessage();
    String simple = cause.getClass().getSimpleName();
    return message == null || message.isBlank() ? simple : simple + ": " + message;
  }
}
