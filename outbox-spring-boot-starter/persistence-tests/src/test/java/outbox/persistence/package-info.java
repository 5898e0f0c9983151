/** Domain events beside each way to the database that applications commonly have. */
package outbox.persistence;
