-- A run is a time in which a package was seen on every day at one price. The current run of a package is in `offer`: it
-- began at `price_since` (minutes since 1970) and has lasted until `seen_at`. 0: not known, as in the sample, or recorded
-- as a row of the history by an earlier version.
alter table offer add column price_since integer not null default 0;

-- An ended run: it began at `seen_at` and has lasted until `last_seen_at`. Null, in a row of an earlier version: the
-- package was seen once, and `after_gap` says whether it was not seen on every day since the row before.
alter table price_observation add column last_seen_at integer;

-- Waiting price changes in columns instead of JSON. `was` is the price before, or null for a package that was removed;
-- the rest is the new row of `offer`, or the removed one.
create table alert_price_change_columns (
  batch bigint not null,
  id bigint not null generated always as identity,
  was integer,
  departure_day integer not null,
  region integer not null,
  resort integer not null,
  hotel integer not null,
  room integer not null,
  price integer not null,
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
  primary key (batch, id)
);
insert into alert_price_change_columns (
  batch, id, was, departure_day, nights, party, country, region, resort, airport, hotel, board, room, provider, price,
  price_before, half_stars, departure_minute, outbound_flight, inbound_flight, luggage, expires_at, seen_at, link
)
overriding system value
select batch, id, was, (item ->> 0)::integer, (item ->> 1)::smallint, (item ->> 2)::smallint, (item ->> 3)::smallint,
  (item ->> 4)::integer, (item ->> 5)::integer, (item ->> 6)::smallint, (item ->> 7)::integer, (item ->> 8)::smallint,
  (item ->> 9)::integer, (item ->> 10)::smallint, (item ->> 11)::integer, (item ->> 12)::integer,
  (item ->> 13)::smallint, (item ->> 14)::smallint, (item ->> 15)::integer, (item ->> 16)::integer,
  (item ->> 17)::smallint, (item ->> 18)::integer, (item ->> 19)::integer, item ->> 20
from (select batch, id, was, offer::json as item from alert_price_change) as waiting;
drop table alert_price_change;
alter table alert_price_change_columns rename to alert_price_change;
alter index alert_price_change_columns_pkey rename to alert_price_change_pkey;
select setval(
  pg_get_serial_sequence('alert_price_change', 'id'), coalesce((select max(id) from alert_price_change), 0) + 1, false
);
