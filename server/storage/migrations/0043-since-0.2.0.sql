-- Prices that moved too far to go on sale: the last price on sale (`was`), the new one, and the London day of the feed
-- that first had it.
create table feed_quarantine (
  departure_day integer not null,
  nights smallint not null,
  party smallint not null,
  country smallint not null,
  region integer not null,
  resort integer not null,
  airport smallint not null,
  hotel integer not null,
  board smallint not null,
  room integer not null,
  provider smallint not null,
  was integer not null,
  price integer not null,
  day integer not null,
  primary key (departure_day, nights, party, country, region, resort, airport, hotel, board, room, provider)
) strict, without rowid;

update feed_attempt
  set detail = '{"isChanges":true' || case when detail = '{}' then '}' else ',' || substr(detail, 2) end
  where source like 'changes from %';

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

-- 1: a price check, whose `next_price` is the provider's response. 0: a click.
alter table site_visit add column is_check smallint not null default 0;
-- One of 65,536 groups of clients: enough to tell several clients apart, too few to identify one.
alter table site_visit add column client integer;
update site_visit set is_check = 1 where settled_at = visited_at;

-- STOP pauses watches. START makes those that had started active again, and the others wait for YES again.
drop index alert_watch_matching;
drop index alert_watch_once;
drop index alert_watch_departure;
drop index alert_watch_limits;
drop index alert_watch_asked;
drop index alert_watch_ended;
alter table alert_watch rename column state to earlier_state;
alter table alert_watch add column state text not null default 'asked'
  check (state in ('asked', 'active', 'paused', 'ended'));
update alert_watch set state = earlier_state;
alter table alert_watch drop column earlier_state;
create index alert_watch_matching on alert_watch (resort, nights, party, airport, departure_day)
  where state = 'active';
create unique index alert_watch_once on alert_watch (contact, item_key) where state <> 'ended';
create index alert_watch_departure on alert_watch (departs_at) where state <> 'ended';
create index alert_watch_unconfirmed on alert_watch (created_at) where started is null and state <> 'ended';
create index alert_watch_ended on alert_watch (ended_at) where state = 'ended';

-- On WhatsApp, a reply is free text and every other message is a template.
alter table alert_message drop column form;

-- Opened links are not counted, and the provider's reports raise notices.
drop table alert_click_day;
drop table alert_provider_state;

-- A day's published verdicts and outcomes (server/price-record): the root of the chain at this file, and the file in gzip.
create table price_record (
  day bigint primary key,
  root text not null,
  file bytea not null
) strict;

-- Every minute, Skylark looks for the latest attempts with changes, and for those that found a gap.
create index feed_attempt_changes on feed_attempt (provider, id) where detail like '%"isChanges":true%';
create index feed_attempt_gap on feed_attempt (provider, id) where detail like '%"missing":%';

-- In kilometres.
alter table hotel add column sea_distance double precision;

-- A watch of a search has its query, after a question mark, as `item_key`, and its prices here, in pence.
-- `began`: its lowest total when it began; `was`: the total that its next message compares with.
create table alert_search (
  watch bigint primary key references alert_watch (id) on delete cascade,
  limit_price bigint not null,
  booked_price bigint,
  told bigint,
  was bigint,
  began bigint,
  has_begun bigint not null default 0,
  -- 1: a message about it is to be sent.
  is_due bigint not null default 0,
  -- 1: something has changed, so its search runs again.
  must_look bigint not null default 0,
  looked_day bigint,
  -- JSON: the lowest total of each day on which its search ran.
  prices text not null default '[]'
) strict;
create index alert_search_must_look on alert_search (watch) where must_look = 1;
create index alert_search_looked on alert_search (looked_day);
create index alert_search_due on alert_search (watch) where is_due = 1;

-- What a package must be like for a search to find it, roughly, and the total below which its watch sends a message.
create table alert_search_place (
  place text not null,
  party text not null,
  watch bigint not null references alert_search (watch) on delete cascade,
  first_day bigint not null,
  last_day bigint not null,
  least_nights bigint not null,
  most_nights bigint not null,
  -- Bit masks.
  airports bigint not null,
  boards bigint not null,
  stars bigint not null,
  fires_below bigint not null default 0,
  primary key (place, party, watch)
) strict, without rowid;
create index alert_search_place_watch on alert_search_place (watch);
create index alert_search_place_below on alert_search_place (fires_below);

-- The package that shows that a search still costs no more than was told. `rearms_from`: the total that shows it no longer.
create table alert_search_best (
  watch bigint primary key references alert_search (watch) on delete cascade,
  departure_day integer not null,
  nights integer not null,
  party integer not null,
  country integer not null,
  region integer not null,
  resort integer not null,
  airport integer not null,
  hotel integer not null,
  board integer not null,
  room integer not null,
  provider integer not null,
  half_stars integer not null,
  departure_minute integer not null,
  outbound_flight integer not null,
  inbound_flight integer not null,
  luggage integer not null,
  rearms_from bigint not null
) strict;

-- New and changed packages that may be low enough for a search, until they are matched.
create table alert_low_price (
  batch bigint not null,
  departure_day integer not null,
  nights integer not null,
  party integer not null,
  country integer not null,
  region integer not null,
  resort integer not null,
  airport integer not null,
  hotel integer not null,
  board integer not null,
  half_stars integer not null,
  price integer not null
) strict;
create index alert_low_price_batch on alert_low_price (batch);
