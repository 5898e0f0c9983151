/** A shop that sells for some seconds, told live in the terminal. */
@NullMarked
package outbox.samples.demo;

import org.jspecify.annotations.NullMarked;
