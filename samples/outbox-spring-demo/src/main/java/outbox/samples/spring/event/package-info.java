/** What operators see of events, and the replay of dead ones. */
@NullMarked
package outbox.samples.spring.event;

import org.jspecify.annotations.NullMarked;
