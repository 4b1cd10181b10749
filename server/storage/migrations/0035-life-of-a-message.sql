-- A message has its latest attempt in its own row: server/alerts/tables/messages.ts names the states and moves.
-- `token` names the latest attempt to the provider: `uid`, which names the message, then the attempt.
alter table alert_message add column token text;
alter table alert_message add column uid text;
alter table alert_message add column started_at bigint;
alter table alert_message add column lease_until bigint;
alter table alert_message add column message_key text;
-- How the latest attempt was refused: 'rejected' by the call, or 'failed' by a later status.
alter table alert_message add column refused text;
-- Failures in a row of one kind, 'soon' or 'later'.
alter table alert_message add column retries bigint not null default 0;
alter table alert_message add column retried_as text;
-- The provider's price category, as assumed when sent or as reported with a status.
alter table alert_message add column category text;

update alert_message set
  token = (select token from alert_attempt where alert_attempt.id = attempt),
  started_at = (select started_at from alert_attempt where alert_attempt.id = attempt),
  lease_until = (select lease_until from alert_attempt where alert_attempt.id = attempt),
  message_key = (select message_key from alert_attempt where alert_attempt.id = attempt),
  refused = (
    select alert_attempt.state from alert_attempt
    where alert_attempt.id = attempt and alert_attempt.state in ('rejected', 'failed')
  )
  where attempt is not null;
drop table alert_attempt;

-- A person has one queued price alert, composed from all watches when it is due.
drop index alert_message_one_drop;
delete from alert_message where state = 'queued' and kind = 'drop' and id not in (
  select min(id) from alert_message where state = 'queued' and kind = 'drop' group by contact
);
update alert_message set watch = null where state = 'queued' and kind = 'drop';
create unique index alert_message_one_drop on alert_message (contact) where state = 'queued' and kind = 'drop';
create unique index alert_message_token on alert_message (token) where token is not null;
create unique index alert_message_uid on alert_message (uid) where uid is not null;
create unique index alert_message_attempt on alert_message (attempt) where attempt is not null;
create unique index alert_message_key on alert_message (message_key) where message_key is not null;
create index alert_message_started on alert_message (channel, started_at);
create index alert_message_lease on alert_message (lease_until) where state = 'sending';

-- Watermarks are set when an alert is accepted. `previous`: for the case that the alert fails later.
update alert_message set told = null where told is not null;
alter table alert_told add column previous bigint;

-- Pauses of a channel (`template` is '') and of one template of it.
create table alert_pause (
  channel text not null,
  template text not null,
  until bigint not null default 0,
  openings bigint not null default 0,
  reason text,
  since bigint not null default 0,
  -- Calls in a row without a response, and the newest attempt that got one.
  unanswered bigint not null default 0,
  answered bigint not null default 0,
  -- Until when an operator has paused the channel; null: not paused.
  held_until bigint,
  primary key (channel, template)
) strict, without rowid;
insert into alert_pause (channel, template, until, openings, reason, unanswered, held_until)
  select channel, '', open_until, openings, reason, unknowns, held_until from alert_circuit;
insert into alert_pause (channel, template, until, openings, reason, since)
  select 'whatsapp', template, until, openings, reason, since from alert_template_hold;
drop table alert_circuit;
drop table alert_template_hold;

-- Attempts that count against a channel's daily limits, by London day and price category.
create table alert_sent (
  day text not null,
  channel text not null,
  category text not null,
  count bigint not null,
  primary key (day, channel, category)
) strict, without rowid;
insert into alert_sent (day, channel, category, count) select day, channel, '', count from alert_sent_day;
drop table alert_sent_day;
