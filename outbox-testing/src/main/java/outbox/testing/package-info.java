/**
 * What tests of an application need instead of a database, and the contract suites that every
 * implementation of an outbox interface runs.
 */
@NullMarked
package outbox.testing;

import org.jspecify.annotations.NullMarked;
