/** Where events leave the application. */
@NullMarked
package outbox.samples.modulith.broker;

import org.jspecify.annotations.NullMarked;
