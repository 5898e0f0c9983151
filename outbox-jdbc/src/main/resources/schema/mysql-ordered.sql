-- What delivery in order per aggregate needs besides: after mysql.sql. All event tables of a database share these.

-- The living nodes of each relay, one row per start of a node.
CREATE TABLE IF NOT EXISTS outbox_node (
  session_id VARCHAR(36) PRIMARY KEY,
  relay      VARCHAR(255) NOT NULL,
  node_id    VARCHAR(128) NOT NULL,
  partitions INT NOT NULL,
  expires_at DATETIME(6) NOT NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- What a node locks while it writes, so that nobody ends it meanwhile. Apart, so that renewing waits for no write.
CREATE TABLE IF NOT EXISTS outbox_fence (
  session_id VARCHAR(36) PRIMARY KEY
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Who delivers which partition of a relay.
CREATE TABLE IF NOT EXISTS outbox_lease (
  relay        VARCHAR(255) NOT NULL,
  partition_no INT NOT NULL,
  session_id   VARCHAR(36), -- null: nobody
  epoch        BIGINT NOT NULL,
  taken_over   SMALLINT NOT NULL, -- 1 if the last owner did not give it up
  PRIMARY KEY (relay, partition_no)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Dead events that hold back those behind them until an operator decides.
CREATE TABLE IF NOT EXISTS outbox_blocked (
  relay          VARCHAR(255) NOT NULL,
  event_id       VARCHAR(36) NOT NULL,
  aggregate_type VARCHAR(64),
  aggregate_id   VARCHAR(128) NOT NULL,
  blocked_at     DATETIME(6) NOT NULL,
  PRIMARY KEY (relay, event_id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- What transactions lock that have no row of their aggregate to lock: a million rows at most.
CREATE TABLE IF NOT EXISTS outbox_key (
  key_hash BIGINT PRIMARY KEY
) ENGINE = InnoDB;
