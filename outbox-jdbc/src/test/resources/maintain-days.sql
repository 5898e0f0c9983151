-- docs:begin daily
SELECT outbox_event_add_day(current_date + i) FROM generate_series(0, 7) i;
SELECT outbox_event_drop_day(current_date - i) FROM generate_series(8, 60) i;
-- docs:end daily
