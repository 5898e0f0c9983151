/**
 * What is measured: raw JDBC, this library and what users would pick instead, behind one interface.
 */
@NullMarked
package outbox.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
