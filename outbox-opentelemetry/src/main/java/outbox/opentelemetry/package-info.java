/** Traces of OpenTelemetry that go on from the write of an event to its listener. */
@NullMarked
package outbox.opentelemetry;

import org.jspecify.annotations.NullMarked;
