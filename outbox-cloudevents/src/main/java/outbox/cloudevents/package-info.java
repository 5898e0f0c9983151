/** Events as CloudEvents 1.0, binary and structured, for every destination. */
@NullMarked
package outbox.cloudevents;

import org.jspecify.annotations.NullMarked;
