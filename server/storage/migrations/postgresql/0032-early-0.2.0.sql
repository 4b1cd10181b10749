-- Leaves room on each page for a new version of every row. A feed that changes every price then writes no
-- index entries.
alter table offer set (fillfactor = 50);
alter table price_block set (fillfactor = 85);
-- `cells` does not compress.
alter table price_block alter column cells set storage external;

-- `was`: the price before; null for a removed package. The rest is its new or removed row of `offer`.
create table alert_price_change (
  batch bigint not null,
  id bigint not null generated always as identity,
  was integer,
  departure_day integer not null,
  region integer not null,
  resort integer not null,
  hotel integer not null,
  room integer not null,
  price integer not null,
  expires_at integer not null,
  nights smallint not null,
  party smallint not null,
  country smallint not null,
  airport smallint not null,
  board smallint not null,
  provider smallint not null,
  half_stars smallint not null,
  departure_minute smallint not null,
  local_charge integer not null default 0,
  primary key (batch, id)
);

-- A provider's number, which marks the rows of its imports in the tables below.
create table offer_import (
  provider text primary key,
  number integer not null unique generated always as identity
);

-- Packages that an import will write, by its number. Its statements compare and write sets of rows, joined by departure
-- day. A crash empties the table, and the import stages them again.
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
  local_charge integer,
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
