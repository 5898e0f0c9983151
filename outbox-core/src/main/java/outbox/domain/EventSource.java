package outbox.domain;

import java.util.List;

/** An aggregate that keeps the events it has raised until they are committed. */
public interface EventSource {

  /** Those that were raised and not cleared yet, in the order they happened. */
  List<?> events();

  /** Forgets them all: they are committed. */
  void clearEvents();
}
