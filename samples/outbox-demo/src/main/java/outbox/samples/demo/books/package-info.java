/** What really happened, counted on the way and checked in the database at the end. */
@NullMarked
package outbox.samples.demo.books;

import org.jspecify.annotations.NullMarked;
