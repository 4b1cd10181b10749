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
-- The next start writes the blocks of offers that are already in the store.
insert into note (name, value) select 'price_blocks.from_month', '0' where exists (select 1 from offer);

-- A run is a time in which a package had one price and was seen every day. `offer` has the current run: it
-- began at `price_since` (minutes since 1970; 0: unknown) and has lasted until `seen_at`.
alter table offer add column price_since integer not null default 0;
-- A row is an ended run from `seen_at` to `last_seen_at`. `after_gap` is 1 if the package was not seen on every day
-- between the previous row and this one. In rows of 0.1.0, `last_seen_at` is null: the package was seen once.
alter table price_observation add column after_gap integer not null default 0;
alter table price_observation add column last_seen_at integer;

drop table price_index;
delete from price_model;

-- What the clicked package cost at its provider's next import (`settled_at`, minutes since 1970); null: sold out.
-- Deletes the clicks of 0.1.0, whose prices were not signed.
delete from site_visit;
alter table site_visit add column settled_at integer;
alter table site_visit add column next_price integer;
create index site_visit_open on site_visit (provider, item_key) where settled_at is null;

-- The provider whose feed describes a hotel with a shared code. Null: the next feed that has the hotel.
alter table hotel add column described_by integer;

-- In 0.1.0, STANDARD meant no description as well as the description 'Standard', which is now STANDARD-.
update alert_watch set item_key = replace(item_key, ':STANDARD:', ':STANDARD-:')
  where item_key like '%:STANDARD:%' and item_key not like '%:STANDARD:%:%'
    and exists (select 1 from room where code = 'STANDARD' and description <> '');
update alert_told set item_key = replace(item_key, ':STANDARD:', ':STANDARD-:')
  where item_key like '%:STANDARD:%' and item_key not like '%:STANDARD:%:%'
    and exists (select 1 from room where code = 'STANDARD' and description <> '');
update alert_fallen_price set item_key = replace(item_key, ':STANDARD:', ':STANDARD-:')
  where item_key like '%:STANDARD:%' and item_key not like '%:STANDARD:%:%'
    and exists (select 1 from room where code = 'STANDARD' and description <> '');
update room set code = 'STANDARD-' where code = 'STANDARD' and description <> '';

-- A contact is a phone number, an email address or a browser's push subscription.
alter table alert_person add column channel text not null default 'whatsapp';
-- The person requested erasure. Until this time, the reply can still be sent.
alter table alert_person add column erase_at bigint;
-- When the person last wrote, by the message's own time.
alter table alert_person add column wrote_at bigint;
-- A keyed hash that the contacts of one browser share: 'Stop everything' ends them all.
alter table alert_person add column owner_key text;
create index alert_person_owner on alert_person (owner_key) where owner_key is not null;

alter table alert_consent add column channel text not null default 'whatsapp';

-- Alert only below this price, in pence.
alter table alert_watch add column below_price integer;
create index alert_watch_limits on alert_watch (id) where state = 'active' and below_price is not null;
create index alert_watch_asked on alert_watch (created_at) where state = 'asked';
create index alert_watch_ended on alert_watch (ended_at) where state = 'ended';

-- 1: the reply to a STOP, which is sent although the number is suppressed.
alter table alert_message add column answers_stop bigint not null default 0;
alter table alert_message add column channel text not null default 'whatsapp';
create index alert_message_state on alert_message (state, id);
drop index alert_message_due;
create index alert_message_due on alert_message (channel, due_at) where state = 'queued';
create index alert_message_reply_due on alert_message (channel, due_at) where state = 'queued' and kind = 'reply';

-- When to ask the provider about an attempt with an unknown outcome, and how often it has been asked.
alter table alert_attempt add column ask_at bigint;
alter table alert_attempt add column asks bigint not null default 0;
alter table alert_attempt add column channel text not null default 'whatsapp';
create index alert_attempt_unknown on alert_attempt (ask_at) where state = 'unknown';
drop index alert_attempt_started;
create index alert_attempt_started on alert_attempt (channel, started_at);

-- 1: the request was sent. Otherwise the number may be asked again.
alter table alert_asked add column went_out bigint not null default 1;
update alert_asked set went_out = 0 where number_key in (
  select number_key from alert_person where id in (select person from alert_message where kind = 'confirm')
    and id not in (
      select person from alert_message where kind = 'confirm' and state in ('accepted', 'delivered', 'read')
    )
);

-- The latest START of a number or user ID, by the message's own time: an older STOP that arrives later has no effect.
create table alert_start (key text primary key, at bigint not null) strict, without rowid;

-- Replies in the local outbox. Replies through a provider are not stored.
create table alert_own_answer (
  id bigint generated always as identity primary key,
  person bigint not null references alert_person (id) on delete cascade,
  text text not null,
  at bigint not null
) strict;
create index alert_own_answer_person on alert_own_answer (person);

-- Each channel pauses separately. `held_until`: until when an operator has paused it; null: not paused.
create table alert_channel_circuit (
  channel text primary key,
  open_until bigint not null default 0,
  openings bigint not null default 0,
  unknowns bigint not null default 0,
  reason text,
  held_until bigint
) strict, without rowid;
insert into alert_channel_circuit (channel, open_until, openings, unknowns, reason)
  select 'whatsapp', open_until, openings, unknowns, reason from alert_circuit;
insert into alert_channel_circuit (channel) values ('email'), ('push');
drop table alert_circuit;
alter table alert_channel_circuit rename to alert_circuit;

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

-- What the provider last reported about a template or the sending number.
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
  number_key text,
  act text not null,
  who text not null,
  why text not null
) strict;
create index alert_audit_number on alert_audit (number_key);

-- Only a fallen package's ItemKey is needed: everything else is read with its offer.
drop index alert_fallen_price_near;
alter table alert_fallen_price drop column resort;
alter table alert_fallen_price drop column nights;
alter table alert_fallen_price drop column party;
alter table alert_fallen_price drop column airport;
alter table alert_fallen_price drop column board;
alter table alert_fallen_price drop column half_stars;

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

-- How often links in messages were opened, by London day.
create table alert_click_day (day text primary key, count bigint not null) strict, without rowid;
