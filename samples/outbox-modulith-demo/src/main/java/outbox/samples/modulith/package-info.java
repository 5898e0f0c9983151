/** A modular application: each package below is a module. */
@NullMarked
package outbox.samples.modulith;

import org.jspecify.annotations.NullMarked;
