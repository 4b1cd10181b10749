-- The latest START of a number or user ID, by the message's own time, so that an older STOP that arrives later has no
-- effect.
create table alert_start (key text primary key, at integer not null) strict, without rowid;

-- The one message that may still be sent after a STOP: its answer.
alter table alert_message add column answers_stop integer not null default 0;

-- Replies are sent before other messages and do not count against their daily budget.
create index alert_message_reply_due on alert_message (due_at) where state = 'queued' and kind = 'reply';
create table alert_reply_day (day text primary key, count integer not null) strict, without rowid;

-- When the person was asked whether all alerts should stop, until the answer.
alter table alert_person add column asked_stop_at integer;
-- The person has asked for erasure: only the answer is still to be sent.
alter table alert_person add column erase_at integer;

-- What people have answered in the local outbox. No provider's messages are kept.
create table alert_own_answer (
  id integer primary key autoincrement,
  person integer not null references alert_person (id) on delete cascade,
  text text not null,
  at integer not null
) strict;
create index alert_own_answer_person on alert_own_answer (person);
