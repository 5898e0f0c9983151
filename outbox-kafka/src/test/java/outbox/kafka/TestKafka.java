package outbox.kafka;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBinding;
import outbox.testing.brokers.KafkaBroker;

/** A broker for all tests that leave it running, and what an operator does there. */
final class TestKafka {

  private static final KafkaBroker BROKER = KafkaBroker.builder().start();
  private static final int PARTITIONS = 3;

  private TestKafka() {}

  static KafkaBroker broker() {
    return BROKER;
  }

  static String topic(String name) {
    return topic(BROKER, name, Map.of());
  }

  /** A broker that knows where partitions end takes records; before, it may refuse the first. */
  static String topic(KafkaBroker broker, String name, Map<String, String> settings) {
    NewTopic topic = new NewTopic(name, Optional.of(PARTITIONS), Optional.empty());
    try (Admin admin = admin(broker)) {
      admin.createTopics(List.of(topic.configs(settings))).all().get(1, TimeUnit.MINUTES);
      Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
      for (int number = 0; number < PARTITIONS; number++) {
        ends.put(new TopicPartition(name, number), OffsetSpec.latest());
      }
      await().atMost(Duration.ofMinutes(1)).ignoreExceptions().until(() -> knows(admin, ends));
      return name;
    } catch (Exception e) {
      throw new IllegalStateException("topic %s could not be created".formatted(name), e);
    }
  }

  private static boolean knows(Admin admin, Map<TopicPartition, OffsetSpec> ends) throws Exception {
    return admin.listOffsets(ends).all().get(1, TimeUnit.MINUTES).size() == ends.size();
  }

  static void delete(String topic) {
    try (Admin admin = admin(BROKER)) {
      admin.deleteTopics(List.of(topic)).all().get(1, TimeUnit.MINUTES);
    } catch (Exception e) {
      throw new IllegalStateException("topic %s could not be deleted".formatted(topic), e);
    }
  }

  static void restrict(Collection<AclBinding> rules) {
    try (Admin admin = admin(BROKER)) {
      admin.createAcls(rules).all().get(1, TimeUnit.MINUTES);
    } catch (Exception e) {
      throw new IllegalStateException("the rules could not be set", e);
    }
  }

  private static Admin admin(KafkaBroker broker) {
    return Admin.create(Map.of("bootstrap.servers", broker.address()));
  }
}
