-- The number of each provider's imports in the tables below.
create table offer_import (
  provider text primary key,
  number integer not null unique generated always as identity
);

-- Packages that an import is going to write, by the import's number. They are compared with `offer` and written from here,
-- so every statement of an import joins two tables by departure day. Lost after a crash, and staged again.
create unlogged table offer_staged (
  departure_day integer not null,
  import integer not null,
  region integer not null,
  resort integer not null,
  hotel integer not null,
  room integer not null,
  price integer,
  price_before integer,
  outbound_flight integer,
  inbound_flight integer,
  expires_at integer,
  seen_at integer,
  nights smallint not null,
  party smallint not null,
  country smallint not null,
  airport smallint not null,
  board smallint not null,
  provider smallint not null,
  half_stars smallint,
  departure_minute smallint,
  luggage smallint,
  link text,
  primary key (
    departure_day, import, nights, party, country, region, resort, airport, hotel, board, room, provider
  )
);

-- The days of price blocks whose packages an import changes.
create unlogged table block_day_staged (
  departure_day integer not null,
  import integer not null,
  region integer not null,
  resort integer not null,
  nights smallint not null,
  party smallint not null,
  country smallint not null,
  airport smallint not null,
  primary key (departure_day, import, nights, party, country, region, resort, airport)
);

-- The price changes of one transaction, whose watches have not been looked for yet. `moment` is their logical time; null:
-- nobody watched at the commit, so they are deleted.
create table alert_price_batch (
  id bigint generated always as identity primary key,
  moment bigint
);

-- `was` is the price before, or null for a package that was removed. `offer` is JSON: the new row, or the removed one, in
-- the order of an `OfferRow`.
create table alert_price_change (
  batch bigint not null,
  id bigint not null generated always as identity,
  was integer,
  offer text not null,
  primary key (batch, id)
);

-- Citus distributes tables together only by columns of one type, here that of `departure_day`.
alter table price_block alter column month type integer;
