-- The outbox of outbox-jdbc for H2 2.2.220 or later.

CREATE TABLE IF NOT EXISTS outbox_event (
  event_id       VARCHAR(36) PRIMARY KEY,
  event_type     VARCHAR(128) NOT NULL,
  aggregate_type VARCHAR(64),
  aggregate_id   VARCHAR(128),
  tenant_id      VARCHAR(64),
  payload        CLOB NOT NULL, -- not JSON, which rewrites the text
  headers        CLOB,
  status         TINYINT NOT NULL, -- 0 NEW, 1 DONE, 2 RETRY, 3 DEAD
  attempts       INT DEFAULT 0 NOT NULL,
  available_at   TIMESTAMP(6) NOT NULL, -- UTC, as all times here
  created_at     TIMESTAMP(6) NOT NULL,
  done_at        TIMESTAMP(6), -- set if and only if the status is final: DONE or DEAD
  last_error     CLOB,
  locked_by      VARCHAR(128),
  locked_at      TIMESTAMP(6),
  -- Made by the database; no INSERT names them.
  seq            BIGINT GENERATED ALWAYS AS IDENTITY,
  partition_no   SMALLINT GENERATED ALWAYS AS (
    CASE WHEN aggregate_id IS NOT NULL
      THEN ORA_HASH(COALESCE(aggregate_type, '') || ':' || aggregate_id, 1023) END)
);

-- Pending rows in the order of claims, one status at a time: what waits for later comes last.
CREATE INDEX IF NOT EXISTS outbox_event_pending ON outbox_event (status, available_at, event_id);

-- Dead letters, oldest first.
CREATE INDEX IF NOT EXISTS outbox_event_dead ON outbox_event (status, created_at, event_id);

-- Finished rows in the order of the purge, one status at a time.
CREATE INDEX IF NOT EXISTS outbox_event_ended ON outbox_event (status, done_at);
