package outbox.jdbc.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.Outbox;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.TableName;
import outbox.jdbc.database.JdbcDatabase;
import outbox.spi.Notifications;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresNotificationsTest {

  private final Database database = Databases.postgres().fresh();
  private final DataSource dataSource = database.pooled();
  private final Notifications notifications = new PostgresNotifications(dataSource);
  private final AtomicInteger wakes = new AtomicInteger();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void subscriberIsWokenAtItsStartAndByEverySend() {
    try (Notifications.Subscription subscription = notifications.subscribe(wakes::incrementAndGet);
        Notifications.Sender sender = notifications.sender()) {
      assertThat(subscription).isNotNull();
      eventually(() -> wakes.get() == 1);

      sender.send();

      eventually(() -> wakes.get() == 2);
    }
  }

  @Test
  void whatIsSentInQuickSuccessionArrivesAsFew() {
    try (Notifications.Subscription subscription = notifications.subscribe(wakes::incrementAndGet);
        Notifications.Sender sender = notifications.sender()) {
      assertThat(subscription).isNotNull();
      eventually(() -> wakes.get() == 1);

      for (int i = 0; i < 10_000; i++) {
        sender.send();
      }

      eventually(() -> wakes.get() > 1);
    }
    assertThat(wakes).hasValueLessThan(1000);
  }

  @Test
  void lastSendBeforeCloseGoesOut() {
    try (Notifications.Subscription subscription =
        notifications.subscribe(wakes::incrementAndGet)) {
      assertThat(subscription).isNotNull();
      eventually(() -> wakes.get() == 1);
      Notifications.Sender sender = notifications.sender();

      sender.send();
      sender.close();

      eventually(() -> wakes.get() == 2);
    }
  }

  @Test
  void lostConnectionIsReplacedAndItsSubscriberWoken() {
    try (Notifications.Subscription subscription = notifications.subscribe(wakes::incrementAndGet);
        Notifications.Sender sender = notifications.sender()) {
      assertThat(subscription).isNotNull();
      eventually(() -> wakes.get() == 1);

      terminateListeners();
      eventually(() -> wakes.get() == 2);
      sender.send();

      eventually(() -> wakes.get() == 3);
    }
  }

  @Test
  void connectionThatCannotBeReadIsNotLeftListening() {
    ReturnedConnections returned = new ReturnedConnections(dataSource, "unwrap");

    try (Notifications.Subscription subscription =
        new PostgresNotifications(returned.dataSource()).subscribe(wakes::incrementAndGet)) {
      assertThat(subscription).isNotNull();
      eventually(() -> !returned.listening().isEmpty());
    }

    assertThat(returned.listening()).containsOnly(0);
    assertThat(wakes).hasValue(0);
  }

  @Test
  void connectionIsNotGivenBackListening() {
    ReturnedConnections returned = new ReturnedConnections(dataSource, "nothing");
    Runnable failing =
        () -> {
          throw new IllegalStateException("not now");
        };

    try (Notifications.Subscription subscription =
        new PostgresNotifications(returned.dataSource()).subscribe(failing)) {
      assertThat(subscription).isNotNull();
      eventually(() -> !returned.listening().isEmpty());
    }

    assertThat(returned.listening()).containsOnly(0);
  }

  @Test
  void tablesHaveChannelsOfTheirOwn() {
    Notifications others =
        new PostgresNotifications(dataSource, TableName.of("Billing", "Outbox_" + "x".repeat(56)));
    AtomicInteger othersWakes = new AtomicInteger();
    try (Notifications.Subscription subscription = notifications.subscribe(wakes::incrementAndGet);
        Notifications.Subscription second = others.subscribe(othersWakes::incrementAndGet);
        Notifications.Sender sender = others.sender()) {
      assertThat(subscription).isNotSameAs(second);
      eventually(() -> wakes.get() == 1 && othersWakes.get() == 1);

      sender.send();

      eventually(() -> othersWakes.get() == 2);
      assertThat(wakes).hasValue(1);
    }
  }

  @Test
  void relayDeliversAtOnceWhatAnotherProcessWrote() throws Exception {
    JdbcDatabase writers = JdbcDatabase.of(dataSource).createTable();
    JdbcDatabase relays = JdbcDatabase.of(dataSource);
    AtomicInteger delivered = new AtomicInteger();
    try (Outbox writer =
            Outbox.writerOnly().database(writers).notifications(notifications).build();
        Outbox relay =
            Outbox.multiNode()
                .database(relays)
                .notifications(notifications)
                .listener("T", event -> delivered.incrementAndGet())
                .poller(settings -> settings.intervalMs(Duration.ofHours(1).toMillis()))
                .build()) {
      writer.start();
      relay.start();
      for (int i = 1; i <= 5; i++) {
        try (var tx = writers.begin()) {
          writer.writer().write("T", "{}");
          tx.commit();
        }
        int expected = i;
        eventually(() -> delivered.get() == expected);
      }
    }
  }

  private void terminateListeners() {
    String sql =
        """
        SELECT pg_terminate_backend(pid) AS gone FROM pg_stat_activity
        WHERE query LIKE 'LISTEN%' AND datname = current_database()
        """;
    try (Connection connection = dataSource.getConnection()) {
      assertThat(JdbcTemplate.query(connection, sql, row -> row.getBoolean("gone")))
          .containsExactly(true);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void eventually(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(5)).until(condition);
  }
}
