-- The outbox of outbox-jdbc for MySQL 8.0.1 or later.

CREATE TABLE IF NOT EXISTS outbox_event (
  event_id       VARCHAR(36) PRIMARY KEY,
  event_type     VARCHAR(128) NOT NULL,
  aggregate_type VARCHAR(64),
  aggregate_id   VARCHAR(128),
  tenant_id      VARCHAR(64),
  payload        LONGTEXT NOT NULL, -- not JSON, which rewrites or restricts the text
  headers        LONGTEXT,
  status         TINYINT NOT NULL, -- 0 NEW, 1 DONE, 2 RETRY, 3 DEAD
  attempts       INT NOT NULL DEFAULT 0,
  available_at   DATETIME(6) NOT NULL, -- UTC, as all times here
  created_at     DATETIME(6) NOT NULL,
  done_at        DATETIME(6), -- set if and only if the status is final: DONE or DEAD
  last_error     TEXT,
  locked_by      VARCHAR(128),
  locked_at      DATETIME(6),
  -- Made by the database; no INSERT names them.
  seq            BIGINT NOT NULL AUTO_INCREMENT UNIQUE,
  partition_no   SMALLINT GENERATED ALWAYS AS (
    (CRC32(aggregate_id) ^ COALESCE(CRC32(aggregate_type), 0)) & 1023) VIRTUAL,
  -- Pending rows in the order of claims, one status at a time: what waits for later comes last.
  KEY outbox_event_pending (status, available_at, event_id),
  -- Finished rows, oldest first, for dead letters and the purge: one index for both, because every INSERT pays for it.
  KEY outbox_event_ended (status, created_at, event_id, done_at)
) ENGINE = InnoDB
  -- Ids and types that differ in case are different.
  DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
