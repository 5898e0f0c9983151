package outbox.testing.brokers;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** How a broker is set up: one node that is broker and controller, and quick to come back. */
final class KafkaSettings {

  private static final List<String> LOGGING =
      List.of(
          "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
          "-Dorg.slf4j.simpleLogger.showDateTime=true",
          "-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info");

  /** For a JVM that starts quickly and never has much to do. */
  static final List<String> HASTY =
      with("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

  static final List<String> THROUGHPUT = with("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC");

  private KafkaSettings() {}

  static Map<String, String> of(int port, int guardedPort, int controllerPort) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put("controller.quorum.voters", "1@localhost:" + controllerPort);
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put(
        "listeners",
        "PLAINTEXT://localhost:%d,SASL_PLAINTEXT://localhost:%d,CONTROLLER://localhost:%d"
            .formatted(port, guardedPort, controllerPort));
    settings.put(
        "listener.security.protocol.map",
        "PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("auto.create.topics.enable", "false");
    settings.put("num.partitions", "4");
    quickToComeBack(settings);
    alone(settings);
    guarded(settings);
    return settings;
  }

  /** A killed broker counts as alive for its session, and is let in again only after that. */
  private static void quickToComeBack(Map<String, String> settings) {
    settings.put("broker.session.timeout.ms", "1000");
    settings.put("broker.heartbeat.interval.ms", "200");
    settings.put("controlled.shutdown.enable", "false");
    settings.put("group.initial.rebalance.delay.ms", "0");
  }

  /** What is kept three times by default, here is kept once. */
  private static void alone(Map<String, String> settings) {
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "1");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "1");
  }

  private static void guarded(Map<String, String> settings) {
    settings.put("sasl.enabled.mechanisms", "PLAIN");
    settings.put(
        "listener.name.sasl_plaintext.plain.sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required user_%s=\"%s\";"
            .formatted(KafkaBroker.USER, KafkaBroker.PASSWORD));
    settings.put(
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    settings.put("allow.everyone.if.no.acl.found", "true");
    settings.put("super.users", "User:ANONYMOUS");
  }

  private static List<String> with(String... options) {
    return Stream.concat(LOGGING.stream(), Stream.of(options)).toList();
  }
}
