/** Texts that nobody would write, for whatever reads text. */
package outbox.fuzz;
