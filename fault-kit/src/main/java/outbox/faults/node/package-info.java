/** What runs in a process of its own: an application that writes events, delivers them, or both. */
@NullMarked
package outbox.faults.node;

import org.jspecify.annotations.NullMarked;
