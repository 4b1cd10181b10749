-- Price-drop alerts. Instants are milliseconds since 1970 UTC. A `..._key` is a keyed hash: phone numbers, the
-- provider's user ids and the provider's message ids (which spell the number) stand nowhere in clear.

create table alert_person (
  id bigint generated always as identity primary key,
  number_key text not null unique,
  -- The number itself, encrypted: needed to write to it.
  number_sealed bytea not null,
  user_key text unique,
  -- Nothing is sent to the number before: the provider asked to slow down.
  not_before bigint not null default 0,
  created_at bigint not null
);

-- What was agreed to, in which words, and when.
create table alert_consent (
  id bigint generated always as identity primary key,
  number_key text not null,
  act text not null check (act in ('signed up', 'confirmed', 'stopped')),
  item_key text,
  wording_version bigint not null,
  wording text not null,
  at bigint not null
);
create index alert_consent_number on alert_consent (number_key);

-- A watch names its package by public codes and names, which mean the same after any reload of the inventory.
create table alert_watch (
  id bigint generated always as identity primary key,
  person bigint not null references alert_person (id) on delete cascade,
  -- The person's own number of it, for LIST and STOP.
  number bigint not null,
  item_key text not null,
  resort text not null,
  nights bigint not null,
  party text not null,
  departure_day bigint not null,
  airport text not null,
  board text not null,
  half_stars bigint not null,
  departs_at bigint not null,
  state text not null check (state in ('asked', 'active', 'ended')),
  created_at bigint not null,
  ended_at bigint,
  unique (person, number)
);
create index alert_watch_matching on alert_watch (resort, nights, party, departure_day) where state = 'active';
create unique index alert_watch_once on alert_watch (person, item_key) where state <> 'ended';
create index alert_watch_departure on alert_watch (departs_at) where state <> 'ended';

-- The outbox.
create table alert_message (
  id bigint generated always as identity primary key,
  person bigint not null references alert_person (id) on delete cascade,
  watch bigint references alert_watch (id) on delete cascade,
  kind text not null check (kind in ('confirm', 'welcome', 'drop', 'reply')),
  form text not null check (form in ('template', 'text')),
  state text not null check (
    state in ('queued', 'sending', 'unknown', 'accepted', 'delivered', 'read', 'failed', 'dropped')
  ),
  due_at bigint not null,
  -- Waits neither for the morning nor for the next day.
  hurried bigint not null default 0,
  tries bigint not null default 0,
  -- JSON: what is written, once that is known.
  body text,
  -- JSON: the drops that the latest attempt tells.
  told text,
  -- The latest attempt: nothing that an earlier one hears changes the message.
  attempt bigint,
  reason text,
  created_at bigint not null,
  settled_at bigint
);
create index alert_message_due on alert_message (due_at) where state = 'queued';
create unique index alert_message_one_drop on alert_message (watch) where state = 'queued' and kind = 'drop';
create index alert_message_person on alert_message (person);
create index alert_message_watch on alert_message (watch);
create index alert_message_settled on alert_message (settled_at);

-- One row a call to the provider, committed before the call is made.
create table alert_attempt (
  id bigint generated always as identity primary key,
  message bigint not null references alert_message (id) on delete cascade,
  person bigint not null,
  -- Travels with the call and comes back with its statuses.
  token text not null unique,
  state text not null check (
    state in ('begun', 'unknown', 'accepted', 'delivered', 'read', 'failed', 'rejected')
  ),
  started_at bigint not null,
  -- Who does not hear of the call until then never will: its outcome is unknown.
  lease_until bigint not null,
  message_key text unique,
  code text
);
create index alert_attempt_started on alert_attempt (started_at);
create index alert_attempt_person on alert_attempt (person, started_at);
create index alert_attempt_message on alert_attempt (message);
create index alert_attempt_begun on alert_attempt (lease_until) where state = 'begun';

-- Webhook events already taken in.
create table alert_event (event_key text primary key, at bigint not null);

-- Who must not be written to: keyed hashes of numbers and user ids, and nothing else.
create table alert_suppression (key text primary key, at bigint not null);

-- Who has been asked to confirm and has not answered: they are not asked again.
create table alert_asked (number_key text primary key, at bigint not null);

-- Sign-ups counted by hashed address, number and number block.
create table alert_sign_up_count (
  key text not null,
  "window" bigint not null,
  ends_at bigint not null,
  count bigint not null,
  primary key (key, "window")
);

-- What an operator has to know.
create table alert_notice (
  id bigint generated always as identity primary key, at bigint not null, kind text not null, text text not null
);

-- Whether anything is sent at all: one row.
create table alert_circuit (
  id bigint primary key check (id = 1),
  open_until bigint not null,
  openings bigint not null,
  unknowns bigint not null,
  reason text
);
insert into alert_circuit (id, open_until, openings, unknowns) values (1, 0, 0, 0);
