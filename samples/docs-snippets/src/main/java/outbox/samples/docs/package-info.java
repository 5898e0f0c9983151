/** The code that the documentation quotes. */
@NullMarked
package outbox.samples.docs;

import org.jspecify.annotations.NullMarked;
