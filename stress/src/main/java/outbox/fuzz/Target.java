package outbox.fuzz;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import outbox.EventEnvelope;
import outbox.internal.ErrorText;
import outbox.internal.JsonSyntax;
import outbox.internal.PayloadMask;
import outbox.jdbc.TableName;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.model.OutboxEvent;
import outbox.spi.EventRow;
import outbox.util.JsonCodec;

/**
 * Whatever reads text, each with what must hold for any text: nothing is thrown but what is
 * documented, nothing takes long, and what is written can be read again.
 */
public enum Target {

  /** Headers as a column has them. */
  HEADERS {
    @Override
    void check(String text) {
      refusedOr(
          text,
          json -> {
            Map<String, String> headers = CODEC.parseObject(json);
            Map<String, String> again = CODEC.parseObject(CODEC.toJson(headers));
            require(again.equals(headers), "headers are read again as they were");
          });
    }
  },

  /** Headers that were given, as names and values. */
  HEADER_TEXT {
    @Override
    void check(String text) {
      int middle = text.length() / 2;
      Map<String, String> headers =
          Map.of(text.substring(0, middle), text.substring(middle), text + "x", text);
      String json = CODEC.toJson(headers);
      require(JsonSyntax.isJson(String.valueOf(json)), "headers are JSON");
      require(CODEC.parseObject(json).equals(headers), "headers are read again");
    }
  },

  /** A payload of bytes, which are stored as they are if they are JSON. */
  JSON {
    @Override
    void check(String text) {
      boolean isJson = JsonSyntax.isJson(text);
      require(JsonSyntax.isJson(" [" + text + "\n, 0] ") || !isJson, "JSON in an array is JSON");
      require(!(isJson && JsonSyntax.isJson(text + "]")), "a bracket too many is no JSON");
    }
  },

  /** A whole row: headers up to the first line break, then the payload. */
  ROW {
    @Override
    void check(String text) {
      int end = Math.max(0, text.indexOf('\n'));
      Instant now = Instant.EPOCH;
      OutboxEvent row =
          new OutboxEvent(
              "e", "T", "A", "a", null, text.substring(end), text.substring(0, end), 0, now);
      refusedOr(
          row,
          read -> {
            EventEnvelope event = EventRow.decode(read, CODEC);
            EventRow written = EventRow.encode(event, CODEC, now);
            OutboxEvent stored =
                new OutboxEvent(
                    "e", "T", "A", "a", null, written.payload(), written.headers(), 0, now);
            EventEnvelope again = EventRow.decode(stored, CODEC);
            require(again.headers().equals(event.headers()), "headers come back");
            require(again.occurredAt().equals(event.occurredAt()), "time comes back");
            require(
                Arrays.equals(again.payloadBytes(), event.payloadBytes()), "payload comes back");
          });
    }
  },

  /** What an exception says, before it is stored and logged. */
  ERROR {
    @Override
    void check(String text) {
      String told = ErrorText.of(new IllegalStateException(text, new IllegalStateException(text)));
      require(!told.isBlank() && told.length() <= ErrorText.MAX_LENGTH, "something is told");
      String harmless = ErrorText.harmless(told);
      require(harmless.chars().noneMatch(Character::isISOControl), "nothing is obeyed");
      String ascii = ErrorText.ascii(told);
      require(ascii.chars().allMatch(c -> c >= ' ' && c <= '~'), "ASCII is ASCII");
    }
  },

  /** A message that quotes a payload: half of the text is the one, all of it the other. */
  MASK {
    @Override
    void check(String text) {
      String payload = text.substring(text.length() / 2);
      String hidden = PayloadMask.hide(text, payload);
      require(payload.length() < 3 || hidden.endsWith("[payload]"), "the payload is hidden");
    }
  },

  /** What a user calls the table. */
  TABLE {
    @Override
    void check(String text) {
      refusedOr(
          text,
          name -> {
            TableName table = TableName.parse(name);
            require(table.toString().equals(name), "the name stands there as it was given");
            require(name.matches("\\w{1,63}(\\.\\w{1,63})?"), "the name is plain");
            String ddl = OutboxSchema.of("postgresql").withTable(table).ddl();
            require(ddl.contains(" " + name + " "), "the table is created");
          });
    }
  },

  /** What a user takes for the URL of a database. */
  URL {
    @Override
    void check(String text) {
      refusedOr(text, JdbcOutboxStores::detect);
      refusedOr(text, JdbcOutboxStores::get);
    }
  };

  private static final JsonCodec CODEC = JsonCodec.getDefault();

  /** Hundreds of times what the largest text needs, for machines that do other things as well. */
  private static final Duration LONGEST = Duration.ofSeconds(10);

  abstract void check(String text);

  /** Throws an {@link AssertionError}, or whatever should not have been thrown. */
  public final void accept(String text) {
    long start = System.nanoTime();
    check(text);
    long nanos = System.nanoTime() - start;
    require(nanos < LONGEST.toNanos(), "it takes less than " + LONGEST);
  }

  /** How it is called on a command line. */
  public static Target of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  private static <T> void refusedOr(T input, Consumer<T> works) {
    try {
      works.accept(input);
    } catch (IllegalArgumentException refused) {
      require(refused.getMessage() != null, "who refuses says why");
    }
  }

  private static void require(boolean holds, String claim) {
    if (!holds) {
      throw new AssertionError("not true: " + claim);
    }
  }
}
