/** The application that the documentation shows. */
package outbox.spring.boot.shop;
