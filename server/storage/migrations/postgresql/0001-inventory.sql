-- The dictionaries: small, read whole into the process.
create table country (id integer primary key, name text not null);
create table region (id integer primary key, country integer not null, name text not null);
create table resort (id integer primary key, region integer not null, name text not null);
create table airport (
  id integer primary key, code text not null, name text not null, timezone text not null
);
create table provider (
  id integer primary key, code text not null, name text not null, link_template text
);
create table hotel (
  id integer primary key, code text not null, name text not null, resort integer not null,
  half_stars integer not null, consumer_rating double precision, latitude double precision not null, longitude double precision not null
);
create table flight (
  id integer primary key, number text not null, airline text not null,
  origin integer not null, destination integer not null,
  departure_minute integer not null, duration_seconds integer not null
);
create table board (id integer primary key, code text not null);
create table room (id integer primary key, code text not null, description text not null);
create table party (
  id integer primary key, adults integer not null, children integer not null, infants integer not null
);

-- The lengths of stay that offers have had, so that a question without one can still walk the key.
create table stay (nights integer primary key);

-- Short named facts, such as how far a load has come.
create table note (name text primary key, value text not null);

-- One row a package. A search walks one range of the primary key, and loading in the key's order keeps neighbours on
-- neighbouring pages; the room that the fill factor leaves lets a changed price stay on its page. The columns stand
-- by their width, so that a row has no gaps. Days count from 1970-01-01, instants are minutes since then, prices are
-- pence (under 2^25, so that a sort value and a price fit together in one exact number).
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
) with (fillfactor = 85);
