package outbox.jdbc.security;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import outbox.spi.MetricsExporter;

/** Metrics that pass on everything they are told, in whatever method, now or later. */
final class ToldMetrics {

  private ToldMetrics() {}

  /** The name of the method and its values. */
  static MetricsExporter to(Overheard overheard) {
    return (MetricsExporter)
        Proxy.newProxyInstance(
            MetricsExporter.class.getClassLoader(),
            new Class<?>[] {MetricsExporter.class},
            (proxy, method, values) -> {
              if (method.getDeclaringClass() == Object.class) {
                return method.invoke(overheard, values);
              }
              overheard.add("metric %s %s".formatted(method.getName(), Arrays.toString(values)));
              return null;
            });
  }
}
