-- What delivery in order per aggregate needs besides: after postgresql.sql or postgresql-by-day.sql. All event
-- tables of a schema share the small tables.

-- Pending rows, whose statuses are even, in the order of their numbers. Said so, it is used for nothing else: claims and
-- purges would mistake it for a small one. Every INSERT pays for it, so leave it out where nothing is ordered.
CREATE INDEX IF NOT EXISTS outbox_event_ordered
  ON outbox_event (seq) WHERE (status & 1) = 0;

-- The living nodes of each relay, one row per start of a node.
CREATE TABLE IF NOT EXISTS outbox_node (
  session_id VARCHAR(36) PRIMARY KEY,
  relay      VARCHAR(255) NOT NULL,
  node_id    VARCHAR(128) NOT NULL,
  partitions INT NOT NULL,
  expires_at TIMESTAMPTZ(6) NOT NULL
);

-- What a node locks while it writes, so that nobody ends it meanwhile. Apart, so that renewing waits for no write.
CREATE TABLE IF NOT EXISTS outbox_fence (
  session_id VARCHAR(36) PRIMARY KEY
);

-- Who delivers which partition of a relay.
CREATE TABLE IF NOT EXISTS outbox_lease (
  relay        VARCHAR(255) NOT NULL,
  partition_no INT NOT NULL,
  session_id   VARCHAR(36), -- null: nobody
  epoch        BIGINT NOT NULL,
  taken_over   SMALLINT NOT NULL, -- 1 if the last owner did not give it up
  PRIMARY KEY (relay, partition_no)
);

-- Dead events that hold back those behind them until an operator decides.
CREATE TABLE IF NOT EXISTS outbox_blocked (
  relay          VARCHAR(255) NOT NULL,
  event_id       VARCHAR(36) COLLATE "C" NOT NULL,
  aggregate_type VARCHAR(64),
  aggregate_id   VARCHAR(128) NOT NULL,
  blocked_at     TIMESTAMPTZ(6) NOT NULL,
  PRIMARY KEY (relay, event_id)
);
