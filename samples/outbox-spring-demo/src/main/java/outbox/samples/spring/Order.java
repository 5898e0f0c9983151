package outbox.samples.spring;

/** Can't be shipped as long as {@code fail} is set: a fault to play with. */
record Order(long id, String product, int quantity, boolean fail, boolean shipped) {}
