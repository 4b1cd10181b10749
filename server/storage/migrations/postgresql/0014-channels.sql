-- A person is one contact: a phone number, an email address, or a browser's push subscription. `number_key` and
-- `number_sealed` hold whichever it is.
alter table alert_person add column channel text not null default 'whatsapp';
-- Contacts that were signed up in the same browser have the same owner, a keyed hash. 'Stop everything' covers them all.
alter table alert_person add column owner_key text;
create index alert_person_owner on alert_person (owner_key) where owner_key is not null;

alter table alert_consent add column channel text not null default 'whatsapp';

-- Each channel is claimed from, limited and paused by itself.
alter table alert_attempt add column channel text not null default 'whatsapp';
drop index alert_attempt_started;
create index alert_attempt_started on alert_attempt (channel, started_at);
drop index alert_message_due;
create index alert_message_due on alert_message (channel, due_at) where state = 'queued';
drop index alert_message_reply_due;
create index alert_message_reply_due on alert_message (channel, due_at) where state = 'queued' and kind = 'reply';

create table alert_channel_circuit (
  channel text primary key,
  open_until bigint not null default 0,
  openings bigint not null default 0,
  unknowns bigint not null default 0,
  reason text,
  held_until bigint
);
insert into alert_channel_circuit (channel, open_until, openings, unknowns, reason, held_until)
  select 'whatsapp', open_until, openings, unknowns, reason, held_until from alert_circuit;
insert into alert_channel_circuit (channel) values ('email'), ('push');
drop table alert_circuit;
alter table alert_channel_circuit rename to alert_circuit;

-- Attempts that count against a channel's daily budget, by London day.
create table alert_sent_day (
  day text not null,
  channel text not null,
  count bigint not null,
  primary key (day, channel)
);
drop table alert_reply_day;
