/**
 * Real databases for tests, samples and benchmarks, started from Maven artifacts without Docker.
 *
 * <p>{@link outbox.testing.databases.Databases} is the way in.
 */
@NullMarked
package outbox.testing.databases;

import org.jspecify.annotations.NullMarked;
