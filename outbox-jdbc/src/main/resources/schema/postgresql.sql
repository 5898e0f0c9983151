-- The outbox of outbox-jdbc for PostgreSQL 12 or later.

CREATE TABLE IF NOT EXISTS outbox_event (
  event_id       VARCHAR(36) COLLATE "C" PRIMARY KEY, -- compared as bytes: fast, and the same everywhere
  event_type     VARCHAR(128) NOT NULL,
  aggregate_type VARCHAR(64),
  aggregate_id   VARCHAR(128),
  tenant_id      VARCHAR(64),
  payload        JSON NOT NULL, -- not JSONB, which rewrites the text
  headers        JSON,
  status         SMALLINT NOT NULL, -- 0 NEW, 1 DONE, 2 RETRY, 3 DEAD
  attempts       INT NOT NULL DEFAULT 0,
  available_at   TIMESTAMPTZ(6) NOT NULL,
  created_at     TIMESTAMPTZ(6) NOT NULL,
  done_at        TIMESTAMPTZ(6), -- set if and only if the status is final: DONE or DEAD
  last_error     TEXT,
  locked_by      VARCHAR(128),
  locked_at      TIMESTAMPTZ(6),
  -- Made by the database; no INSERT names it.
  seq            BIGINT GENERATED ALWAYS AS IDENTITY
) WITH (fillfactor = 50); -- room on the page for the row version that a claim makes

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

-- Pending rows in the order of claims: what is due comes before what waits for later. Finished rows
-- are not in it, however many there are.
CREATE INDEX IF NOT EXISTS outbox_event_pending
  ON outbox_event (available_at, event_id) WHERE status IN (0, 2);

-- Dead letters, oldest first, also for their purge.
CREATE INDEX IF NOT EXISTS outbox_event_dead
  ON outbox_event (created_at, event_id) WHERE status = 3;

-- Delivered rows in the order of the purge. Dead ones are kept for longer and not in its way.
CREATE INDEX IF NOT EXISTS outbox_event_ended
  ON outbox_event (done_at) WHERE status = 1;
