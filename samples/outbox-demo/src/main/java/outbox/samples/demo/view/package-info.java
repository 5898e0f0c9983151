/** How it is shown: a live view in a terminal, plain lines everywhere else. */
@NullMarked
package outbox.samples.demo.view;

import org.jspecify.annotations.NullMarked;
