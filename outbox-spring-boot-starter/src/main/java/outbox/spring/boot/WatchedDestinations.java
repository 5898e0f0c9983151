package outbox.spring.boot;

import java.util.List;
import java.util.Map;

/**
 * The destinations that operators are shown. It names no class of {@code outbox-destinations},
 * which the application may not have.
 */
interface WatchedDestinations {

  /** What is known of each in this process. */
  List<Map<String, Object>> shown();

  /**
   * Has it put off what comes from now on, in this process.
   *
   * @return what is known of it then
   * @throws IllegalArgumentException if there is none of that name
   */
  List<Map<String, Object>> pause(String name);

  /** Likewise, for the end of a pause. */
  List<Map<String, Object>> resume(String name);

  /** Of an application that has none. */
  enum None implements WatchedDestinations {
    NONE;

    @Override
    public List<Map<String, Object>> shown() {
      return List.of();
    }

    @Override
    public List<Map<String, Object>> pause(String name) {
      throw new IllegalArgumentException(
          "there is no destination; define GuardedDestination beans, or a DestinationRoutes bean");
    }

    @Override
    public List<Map<String, Object>> resume(String name) {
      return pause(name);
    }
  }
}
