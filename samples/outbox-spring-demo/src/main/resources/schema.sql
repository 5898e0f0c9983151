CREATE SEQUENCE order_id;

CREATE TABLE customer_order (
  id         BIGINT PRIMARY KEY,
  product    VARCHAR(100) NOT NULL,
  quantity   INT NOT NULL,
  fail       BOOLEAN NOT NULL, -- makes shipping fail
  placed_at  TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  shipped_at TIMESTAMP(6) WITH TIME ZONE,
  event_id   VARCHAR(36) NOT NULL
);
