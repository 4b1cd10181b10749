-- The schema of Skylark 0.1.0.

-- Dictionaries: small tables that each server reads completely.
create table country (id integer primary key, name text not null) strict;
create table region (id integer primary key, country integer not null, name text not null) strict;
create table resort (id integer primary key, region integer not null, name text not null) strict;
create table airport (
  id integer primary key, code text not null, name text not null, timezone text not null
) strict;
create table provider (
  id integer primary key, code text not null, name text not null, link_template text
) strict;
-- `provider` is the provider that uses the code; null if all providers share it. Feeds may omit coordinates.
create table hotel (
  id integer primary key, code text not null, name text not null, resort integer not null,
  half_stars integer not null, consumer_rating double precision, latitude double precision,
  longitude double precision, provider integer
) strict;
-- Feeds may omit a flight's destination and times.
create table flight (
  id integer primary key, number text not null, airline text not null, origin integer, destination integer,
  departure_minute integer, duration_seconds integer
) strict;
create table board (id integer primary key, code text not null) strict;
create table room (id integer primary key, code text not null, description text not null) strict;
create table party (
  id integer primary key, adults integer not null, children integer not null, infants integer not null
) strict;
-- The numbers of nights on sale.
create table stay (nights integer primary key) strict;

-- Named values, such as the progress of a load.
create table note (name text primary key, value text not null) strict, without rowid;

-- A row is a package on sale. A search reads one range of the primary key. The columns are ordered by width,
-- so that PostgreSQL needs no padding. Days and minutes count from 1970-01-01. Prices are in pence, below
-- 2^25: a sort value and a price fit into one exact number.
create table offer (
  departure_day integer not null,
  region integer not null,
  resort integer not null,
  hotel integer not null,
  room integer not null,
  price integer not null check (price between 1 and 33554431),
  price_before integer,
  outbound_flight integer not null,
  inbound_flight integer not null,
  expires_at integer not null,
  seen_at integer not null,
  nights smallint not null,
  party smallint not null,
  country smallint not null,
  airport smallint not null,
  board smallint not null,
  provider smallint not null,
  half_stars smallint not null,
  departure_minute smallint not null,
  luggage smallint not null,
  link text,
  primary key (departure_day, nights, party, country, region, resort, airport, hotel, board, room, provider)
) strict, without rowid;

-- Earlier prices of packages, which have the same key columns as in `offer`.
create table price_observation (
  departure_day integer not null,
  nights integer not null,
  party integer not null,
  hotel integer not null,
  airport integer not null,
  board integer not null,
  room integer not null,
  provider integer not null,
  seen_at integer not null,
  price integer not null,
  primary key (departure_day, nights, party, hotel, airport, board, room, provider, seen_at)
) strict, without rowid;

-- How the sample market's prices of a hotel and departure month changed each day up to `last_day`. `levels`
-- are 16-bit little-endian integers: natural logarithms in ten thousandths.
create table price_path (
  hotel integer not null,
  departure_month integer not null,
  last_day integer not null,
  levels bytea not null,
  primary key (hotel, departure_month)
) strict, without rowid;

create table price_index (
  resort integer not null,
  departure_month integer not null,
  nights integer not null,
  stars integer not null,
  first_day integer not null,
  days bytea not null,
  primary key (resort, departure_month, nights, stars)
) strict, without rowid;

-- Trained models, the newest last. `body` is JSON.
create table price_model (
  version integer primary key, trained_at integer not null, body text not null
) strict;

-- Clicks on 'Visit site': the package and the price on its card, but nothing about the visitor.
create table site_visit (
  id bigint generated always as identity primary key,
  provider integer not null,
  item_key text not null,
  price integer not null,
  visited_at integer not null
) strict;
create index site_visit_at on site_visit (visited_at);

-- Price alerts. Instants are milliseconds since 1970 UTC. A `..._key` is a keyed hash: phone numbers, user IDs and
-- the provider's message IDs are not stored in clear.

create table alert_person (
  id bigint generated always as identity primary key,
  number_key text not null unique,
  -- The encrypted number, needed to send messages to it.
  number_sealed bytea not null,
  user_key text unique,
  -- The provider has limited the rate to this number, so nothing is sent before this time.
  not_before bigint not null default 0,
  created_at bigint not null
) strict;

create table alert_consent (
  id bigint generated always as identity primary key,
  number_key text not null,
  act text not null check (act in ('signed up', 'confirmed', 'stopped')),
  item_key text,
  wording_version bigint not null,
  wording text not null,
  at bigint not null
) strict;
create index alert_consent_number on alert_consent (number_key);

-- A watch identifies its package by public codes and names, which stay the same when the inventory is loaded
-- again.
create table alert_watch (
  id bigint generated always as identity primary key,
  person bigint not null references alert_person (id) on delete cascade,
  -- The number that LIST shows and STOP uses.
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
  -- The logical time at which the watch became active.
  started bigint,
  unique (person, number)
) strict;
create index alert_watch_matching on alert_watch (resort, nights, party, airport, departure_day)
  where state = 'active';
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
  -- 1: sent even in quiet hours, and even after another alert on the same day.
  hurried bigint not null default 0,
  tries bigint not null default 0,
  -- JSON: the message, once composed.
  body text,
  -- JSON: the price drops that the latest attempt is about.
  told text,
  -- The latest attempt. Statuses of earlier ones do not change the message.
  attempt bigint,
  reason text,
  created_at bigint not null,
  settled_at bigint
) strict;
create index alert_message_due on alert_message (due_at) where state = 'queued';
create unique index alert_message_one_drop on alert_message (watch) where state = 'queued' and kind = 'drop';
create index alert_message_person on alert_message (person);
create index alert_message_watch on alert_message (watch);
create index alert_message_settled on alert_message (settled_at);

-- A row is a call to the provider, committed before the call starts.
create table alert_attempt (
  id bigint generated always as identity primary key,
  message bigint not null references alert_message (id) on delete cascade,
  person bigint not null,
  -- Sent with the call, and returned with its statuses.
  token text not null unique,
  state text not null check (
    state in ('begun', 'unknown', 'accepted', 'delivered', 'read', 'failed', 'rejected')
  ),
  started_at bigint not null,
  -- If the call has no result at this time, its outcome is unknown.
  lease_until bigint not null,
  message_key text unique,
  code text
) strict;
create index alert_attempt_started on alert_attempt (started_at);
create index alert_attempt_person on alert_attempt (person, started_at);
create index alert_attempt_message on alert_attempt (message);
create index alert_attempt_begun on alert_attempt (lease_until) where state = 'begun';

-- Webhook events that have been processed.
create table alert_event (event_key text primary key, at bigint not null) strict, without rowid;

-- Numbers and user IDs that must not get messages: keyed hashes only.
create table alert_suppression (key text primary key, at bigint not null) strict, without rowid;

-- Numbers that were asked to confirm and have not answered: they are not asked again.
create table alert_asked (number_key text primary key, at bigint not null) strict, without rowid;

-- Sign-ups counted by hashed address, number and number block.
create table alert_sign_up_count (
  key text not null,
  "window" bigint not null,
  ends_at bigint not null,
  count bigint not null,
  primary key (key, "window")
) strict, without rowid;

-- Notices for the operator.
create table alert_notice (
  id bigint generated always as identity primary key, at bigint not null, kind text not null, text text not null
) strict;

-- Whether messages are sent. The table has one row.
create table alert_circuit (
  id bigint primary key check (id = 1),
  open_until bigint not null,
  openings bigint not null,
  unknowns bigint not null,
  reason text
) strict;
insert into alert_circuit (id, open_until, openings, unknowns) values (1, 0, 0, 0);

-- The logical clock. Each price change, start of a watch and alert takes the next number in its transaction.
create table alert_moment (id bigint primary key check (id = 1), moment bigint not null) strict;
insert into alert_moment (id, moment) values (1, 0);

-- Packages that cost less than before, and that may be watched. `steps` is JSON (domain/running-highs.ts).
create table alert_fallen_price (
  item_key text primary key,
  resort text not null,
  nights bigint not null,
  party text not null,
  departure_day bigint not null,
  airport text not null,
  board text not null,
  half_stars bigint not null,
  steps text not null
) strict, without rowid;
create index alert_fallen_price_near on alert_fallen_price (resort, nights, party, departure_day);

-- The logical time of the latest alert about a package to the contact of a watch.
create table alert_told (
  watch bigint not null references alert_watch (id) on delete cascade,
  item_key text not null,
  moment bigint not null,
  primary key (watch, item_key)
) strict, without rowid;
