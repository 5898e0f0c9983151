-- What an application creates before its outbox does.
CREATE SCHEMA billing;
