-- The outbox of outbox-jdbc for PostgreSQL 12 or later, one partition per day of creation, so that
-- whole days are dropped instead of deleted row by row. Instead of postgresql.sql, not after it.
--
-- event_id is unique only together with created_at here.

CREATE SEQUENCE IF NOT EXISTS outbox_event_seq; -- partitions have identity columns only from 17 on

CREATE TABLE IF NOT EXISTS outbox_event (
  event_id       VARCHAR(36) COLLATE "C" NOT NULL,
  event_type     VARCHAR(128) NOT NULL,
  aggregate_type VARCHAR(64),
  aggregate_id   VARCHAR(128),
  tenant_id      VARCHAR(64),
  payload        JSON NOT NULL,
  headers        JSON,
  status         SMALLINT NOT NULL,
  attempts       INT NOT NULL DEFAULT 0,
  available_at   TIMESTAMPTZ(6) NOT NULL,
  created_at     TIMESTAMPTZ(6) NOT NULL,
  done_at        TIMESTAMPTZ(6),
  last_error     TEXT,
  locked_by      VARCHAR(128),
  locked_at      TIMESTAMPTZ(6),
  seq            BIGINT NOT NULL DEFAULT nextval('outbox_event_seq'),
  PRIMARY KEY (event_id, created_at)
) PARTITION BY RANGE (created_at);

-- 0 to 1023 by the key of the event. Virtual: PostgreSQL 16 and later prepare a stored column anew for every
-- row of an UPDATE, and claims and completions took twice as long. Before 18, which has no virtual ones, it
-- is left out.
DO $$
BEGIN
  IF current_setting('server_version_num')::INT >= 180000 THEN
    EXECUTE $ddl$
      ALTER TABLE outbox_event ADD COLUMN IF NOT EXISTS partition_no SMALLINT GENERATED ALWAYS AS (
        (hashtextextended(COALESCE(aggregate_type, '') || ':' || aggregate_id, 0) & 1023)::SMALLINT
      ) VIRTUAL
    $ddl$;
  END IF;
END $$;

CREATE INDEX IF NOT EXISTS outbox_event_pending
  ON outbox_event (available_at, event_id) WHERE status IN (0, 2);

CREATE INDEX IF NOT EXISTS outbox_event_dead
  ON outbox_event (created_at, event_id) WHERE status = 3;

CREATE INDEX IF NOT EXISTS outbox_event_ended
  ON outbox_event (done_at) WHERE status = 1;

-- Catches what comes on a day that nobody prepared: without it, business transactions would fail.
CREATE TABLE IF NOT EXISTS outbox_event_other PARTITION OF outbox_event DEFAULT;

-- Prepares a day, in UTC; harmless if it is there. Call it some days ahead: it fails if events of the
-- day are in outbox_event_other already.
CREATE OR REPLACE FUNCTION outbox_event_add_day(day DATE) RETURNS VOID
LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
BEGIN
  EXECUTE format(
    'CREATE TABLE IF NOT EXISTS %I PARTITION OF outbox_event'
    || ' FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = 50)',
    'outbox_event_' || to_char(day, 'YYYYMMDD'),
    day::TIMESTAMP AT TIME ZONE 'UTC',
    (day + 1)::TIMESTAMP AT TIME ZONE 'UTC');
END $$;

-- Drops a day that is over if all its events are DONE, and says whether it did. One event that is
-- pending or dead keeps its day. Locks the whole table for a moment; if that can't be had within a
-- second, because a transaction that wrote an event is still open, it fails and nothing is dropped.
CREATE OR REPLACE FUNCTION outbox_event_drop_day(day DATE) RETURNS BOOLEAN
LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
DECLARE
  partition TEXT := 'outbox_event_' || to_char(day, 'YYYYMMDD');
  -- Two questions, because each has its index.
  question TEXT := format(
    'SELECT EXISTS (SELECT FROM %1$I WHERE status IN (0, 2))'
    || ' OR EXISTS (SELECT FROM %1$I WHERE status = 3)', partition);
  is_needed BOOLEAN;
BEGIN
  IF day >= (now() AT TIME ZONE 'UTC')::DATE OR to_regclass(partition) IS NULL THEN
    RETURN FALSE;
  END IF;
  EXECUTE question INTO is_needed;
  IF is_needed THEN
    RETURN FALSE;
  END IF;
  -- The table before its partition, as everyone does. Then ask again: a replay may have come first.
  LOCK TABLE ONLY outbox_event IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', partition);
  EXECUTE question INTO is_needed;
  IF NOT is_needed THEN
    EXECUTE format('DROP TABLE %I', partition);
  END IF;
  RETURN NOT is_needed;
END $$;
