/** What happens to the shop, and when. */
@NullMarked
package outbox.samples.demo.story;

import org.jspecify.annotations.NullMarked;
