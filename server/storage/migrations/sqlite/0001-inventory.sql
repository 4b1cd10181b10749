-- The dictionaries: small, read whole into the process.
create table country (id integer primary key, name text not null) strict;
create table region (id integer primary key, country integer not null, name text not null) strict;
create table resort (id integer primary key, region integer not null, name text not null) strict;
create table airport (
  id integer primary key, code text not null, name text not null, timezone text not null
) strict;
create table provider (
  id integer primary key, code text not null, name text not null, link_template text
) strict;
create table hotel (
  id integer primary key, code text not null, name text not null, resort integer not null,
  half_stars integer not null, consumer_rating real, latitude real not null, longitude real not null
) strict;
create table flight (
  id integer primary key, number text not null, airline text not null,
  origin integer not null, destination integer not null,
  departure_minute integer not null, duration_seconds integer not null
) strict;
create table board (id integer primary key, code text not null) strict;
create table room (id integer primary key, code text not null, description text not null) strict;
create table party (
  id integer primary key, adults integer not null, children integer not null, infants integer not null
) strict;

-- The lengths of stay that offers have had, so that a question without one can still walk the key.
create table stay (nights integer primary key) strict;

-- Short named facts, such as how far a load has come.
create table note (name text primary key, value text not null) strict, without rowid;

-- One row a package, clustered in search order: a search is a short walk over neighbouring rows.
-- Days count from 1970-01-01, instants are minutes since then, prices are pence (under 2^25, so that a sort
-- value and a price fit together in one exact number).
create table offer (
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
  price integer not null check (price between 1 and 33554431),
  price_before integer,
  half_stars integer not null,
  departure_minute integer not null,
  outbound_flight integer not null,
  inbound_flight integer not null,
  luggage integer not null,
  expires_at integer not null,
  seen_at integer not null,
  link text,
  primary key (departure_day, nights, party, country, region, resort, airport, hotel, board, room, provider)
) strict, without rowid;
