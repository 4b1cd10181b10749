-- The schema of the first builds of Skylark 0.2.0.

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
-- `provider` is the provider that uses the code; null if all providers share it. `described_by` is the provider whose
-- feed describes a hotel with a shared code; null: the next feed that has the hotel. Feeds may omit coordinates.
-- `photos`: URLs, separated by spaces; null: none known.
create table hotel (
  id integer primary key, code text not null, name text not null, resort integer not null,
  half_stars integer not null, consumer_rating double precision, latitude double precision,
  longitude double precision, provider integer, described_by integer, photos text
) strict;
-- ItemKeys identify hotels and rooms by their codes.
create index hotel_code on hotel (code);
-- Feeds may omit a flight's destination and times.
create table flight (
  id integer primary key, number text not null, airline text not null, origin integer, destination integer,
  departure_minute integer, duration_seconds integer
) strict;
create table board (id integer primary key, code text not null) strict;
create table room (id integer primary key, code text not null, description text not null) strict;
create index room_code on room (code);
create table party (
  id integer primary key, adults integer not null, children integer not null, infants integer not null
) strict;
-- The numbers of nights on sale.
create table stay (nights integer primary key) strict;

-- Named values, such as the progress of a load.
create table note (name text primary key, value text not null) strict, without rowid;

-- A row is a package on sale. A search reads one range of the primary key. The columns are ordered by width,
-- so that PostgreSQL needs no padding. Days and minutes count from 1970-01-01. Prices are in pence, below
-- 2^25: a sort value and a price fit into one exact number. A run is a time in which a package had one price and was seen
-- every day: the current one began at `price_since` (minutes since 1970; 0: unknown) and has lasted until `seen_at`.
-- `local_charge`: twice the charges payable at the resort, in pence; 0 may also mean unknown. Odd (one more) if the feed
-- states them; otherwise they are from the table in the note 'local_charges'. `price` is the provider's.
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
  price_since integer not null default 0,
  local_charge integer not null default 0,
  primary key (departure_day, nights, party, country, region, resort, airport, hotel, board, room, provider)
) strict, without rowid;

-- The lowest prices of each departure day: one row for the departures of a month from an airport to a resort, for a party
-- and a number of nights, in the order in which searches over months read them. `cells`: server/inventory/price-block.ts.
-- `hotels`, the lowest price of each hotel: server/inventory/block-hotels.ts. `lowest_day`: the first day with the lowest
-- price, as an index in its month. `expires_at`: the earliest expiry before departure, or 2147483647.
create table price_block (
  region integer not null,
  resort integer not null,
  lowest integer not null,
  expires_at integer not null,
  party smallint not null,
  nights smallint not null,
  -- Citus distributes tables together by columns of one type, here that of `departure_day`.
  month integer not null,
  airport smallint not null,
  country smallint not null,
  cells bytea not null,
  lowest_day smallint not null,
  hotels bytea not null,
  primary key (party, nights, month, airport, country, region, resort)
) strict, without rowid;

-- Earlier runs of packages, which have the same key columns as in `offer`, from `seen_at` to `last_seen_at`. `after_gap`
-- is 1 if the package was not seen on every day between the previous row and this one. In rows of 0.1.0, `last_seen_at`
-- is null: the package was seen once.
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
  after_gap integer not null default 0,
  last_seen_at integer,
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

-- Trained models, the newest last. `body` is JSON.
create table price_model (
  version integer primary key, trained_at integer not null, body text not null
) strict;

-- Clicks on 'Visit site': the package and the price on its card, but nothing about the visitor. `next_price`: what the
-- package cost at its provider's next import (`settled_at`, minutes since 1970); null: sold out.
create table site_visit (
  id bigint generated always as identity primary key,
  provider integer not null,
  item_key text not null,
  price integer not null,
  visited_at integer not null,
  settled_at integer,
  next_price integer
) strict;
create index site_visit_at on site_visit (visited_at);
create index site_visit_open on site_visit (provider, item_key) where settled_at is null;

-- Each attempt to import a provider's feed. Times are milliseconds since 1970. `ended_at` is null while it runs.
-- `detail` is JSON: server/feed/attempts/attempt-table.ts. `host`: whose data folder has the stored feed.
create table feed_attempt (
  id bigint generated always as identity primary key,
  provider text not null,
  started_at bigint not null,
  ended_at bigint,
  source text not null,
  outcome text not null,
  message text not null default '',
  host text not null,
  detail text not null default '{}'
) strict;
create index feed_attempt_provider on feed_attempt (provider, id);

-- Price alerts. Instants are milliseconds since 1970 UTC. A `..._key` is a keyed hash: addresses, user IDs and the
-- provider's message IDs are not stored in clear.

-- A person who signed up is one contact: a phone number, an email address or a browser's push subscription.
create table alert_contact (
  id bigint generated always as identity primary key,
  contact_key text not null unique,
  -- The encrypted address, needed to send messages to it.
  contact_sealed bytea not null,
  user_key text unique,
  -- The provider has limited the rate to this number, so nothing is sent before this time.
  not_before bigint not null default 0,
  created_at bigint not null,
  channel text not null default 'whatsapp',
  -- The person requested erasure. Until this time, the reply can still be sent.
  erase_at bigint,
  -- When the person last wrote, by the message's own time.
  wrote_at bigint,
  -- A keyed hash that the contacts of one browser share: 'Stop everything' ends them all.
  owner_key text
) strict;
create index alert_person_owner on alert_contact (owner_key) where owner_key is not null;

create table alert_consent (
  id bigint generated always as identity primary key,
  contact_key text not null,
  act text not null check (act in ('signed up', 'confirmed', 'stopped')),
  item_key text,
  wording_version bigint not null,
  wording text not null,
  at bigint not null,
  channel text not null default 'whatsapp'
) strict;
create index alert_consent_number on alert_consent (contact_key);

-- A watch identifies its package by public codes and names, which stay the same when the inventory is loaded
-- again.
create table alert_watch (
  id bigint generated always as identity primary key,
  contact bigint not null references alert_contact (id) on delete cascade,
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
  -- Alert only below this price, in pence.
  below_price integer,
  unique (contact, number)
) strict;
create index alert_watch_matching on alert_watch (resort, nights, party, airport, departure_day)
  where state = 'active';
create unique index alert_watch_once on alert_watch (contact, item_key) where state <> 'ended';
create index alert_watch_departure on alert_watch (departs_at) where state <> 'ended';
create index alert_watch_limits on alert_watch (id) where state = 'active' and below_price is not null;
create index alert_watch_asked on alert_watch (created_at) where state = 'asked';
create index alert_watch_ended on alert_watch (ended_at) where state = 'ended';

-- The outbox.
create table alert_message (
  id bigint generated always as identity primary key,
  contact bigint not null references alert_contact (id) on delete cascade,
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
  settled_at bigint,
  -- 1: the reply to a STOP, which is sent although the number is suppressed.
  answers_stop bigint not null default 0,
  channel text not null default 'whatsapp'
) strict;
create index alert_message_due on alert_message (channel, due_at) where state = 'queued';
create index alert_message_reply_due on alert_message (channel, due_at) where state = 'queued' and kind = 'reply';
create unique index alert_message_one_drop on alert_message (watch) where state = 'queued' and kind = 'drop';
create index alert_message_person on alert_message (contact);
create index alert_message_watch on alert_message (watch);
create index alert_message_settled on alert_message (settled_at);
create index alert_message_state on alert_message (state, id);

-- A row is a call to the provider, committed before the call starts.
create table alert_attempt (
  id bigint generated always as identity primary key,
  message bigint not null references alert_message (id) on delete cascade,
  contact bigint not null,
  -- Sent with the call, and returned with its statuses.
  token text not null unique,
  state text not null check (
    state in ('begun', 'unknown', 'accepted', 'delivered', 'read', 'failed', 'rejected')
  ),
  started_at bigint not null,
  -- If the call has no result at this time, its outcome is unknown.
  lease_until bigint not null,
  message_key text unique,
  code text,
  -- When to ask the provider about an attempt with an unknown outcome, and how often it has been asked.
  ask_at bigint,
  asks bigint not null default 0,
  channel text not null default 'whatsapp'
) strict;

-- Webhook events that have been processed.
create table alert_event (event_key text primary key, at bigint not null) strict, without rowid;

-- Numbers and user IDs that must not get messages: keyed hashes only.
create table alert_suppression (key text primary key, at bigint not null) strict, without rowid;

-- Numbers that were asked to confirm and have not answered: they are not asked again. `went_out` is 1 if the request was
-- sent. Otherwise the number may be asked again.
create table alert_asked (
  contact_key text primary key, at bigint not null, went_out bigint not null default 1
) strict, without rowid;

-- The latest START of a number or user ID, by the message's own time: an older STOP that arrives later has no effect.
create table alert_start (key text primary key, at bigint not null) strict, without rowid;

-- Replies in the local outbox. Replies through a provider are not stored.
create table alert_own_answer (
  id bigint generated always as identity primary key,
  contact bigint not null references alert_contact (id) on delete cascade,
  text text not null,
  at bigint not null
) strict;
create index alert_own_answer_person on alert_own_answer (contact);

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

-- Each channel pauses separately. `held_until`: until when an operator has paused it; null: not paused.
create table alert_circuit (
  channel text primary key,
  open_until bigint not null default 0,
  openings bigint not null default 0,
  unknowns bigint not null default 0,
  reason text,
  held_until bigint
) strict, without rowid;
insert into alert_circuit (channel) values ('whatsapp'), ('email'), ('push');

-- Attempts that count against a channel's daily limit, by London day.
create table alert_sent_day (
  day text not null,
  channel text not null,
  count bigint not null,
  primary key (day, channel)
) strict, without rowid;

-- Templates that the provider does not accept now. Their messages wait until `until`, then one is tried.
create table alert_template_hold (
  template text primary key,
  until bigint not null,
  openings bigint not null,
  reason text not null,
  since bigint not null
) strict, without rowid;

create table alert_provider_state (
  subject text primary key,
  state text not null,
  reason text,
  at bigint not null
) strict, without rowid;

-- What operators did to one number: who, when and why.
create table alert_audit (
  id bigint generated always as identity primary key,
  at bigint not null,
  contact_key text,
  act text not null,
  who text not null,
  why text not null
) strict;
create index alert_audit_number on alert_audit (contact_key);

-- The logical clock. Each price change, start of a watch and alert takes the next number in its transaction.
create table alert_moment (id bigint primary key check (id = 1), moment bigint not null) strict;
insert into alert_moment (id, moment) values (1, 0);

-- Packages that cost less than before, and that may be watched. `steps` is JSON (domain/running-highs.ts).
create table alert_fallen_price (
  item_key text primary key, departure_day bigint not null, steps text not null
) strict, without rowid;

-- The last price of watched packages that left the inventory.
create table alert_gone_price (
  item_key text primary key,
  price bigint not null,
  gone_at bigint not null
) strict, without rowid;
create index alert_gone_price_at on alert_gone_price (gone_at);

-- Price changes that are not matched with watches yet, by transaction. `moment` is its logical time; null if
-- there was no watch at the commit.
create table alert_price_batch (
  id bigint generated always as identity primary key,
  moment bigint
) strict;

-- The logical time of the latest alert about a package to the contact of a watch.
create table alert_told (
  watch bigint not null references alert_watch (id) on delete cascade,
  item_key text not null,
  moment bigint not null,
  primary key (watch, item_key)
) strict, without rowid;

-- Generations of the keys for hashes and numbers after the first. `sealed` is encrypted with the key of the alerts, and
-- empty once the previous secret may no longer open the store. `older`: the secrets before this generation, encrypted
-- with its own, whose fingerprint is `fingerprint`. `finished_at`: when every record had been moved to it.
create table alert_key (
  generation bigint primary key check (generation > 1),
  sealed bytea not null,
  created_at bigint not null,
  finished_at bigint,
  older bytea,
  fingerprint text
) strict;

create table alert_click_day (day text primary key, count bigint not null) strict, without rowid;
