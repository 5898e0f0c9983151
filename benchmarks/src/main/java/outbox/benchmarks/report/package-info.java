/** What was measured, as a file, as a table and as the page in the documentation. */
@NullMarked
package outbox.benchmarks.report;

import org.jspecify.annotations.NullMarked;
