-- Searches by price read many blocks from one index, without their `cells`.
create index price_block_prices on price_block
  (party, nights, month, airport, country, region, resort, lowest, lowest_day, expires_at, hotels);

-- `was`: the price before; null for a removed package. The rest is its new or removed row of `offer`.
create table alert_price_change (
  id integer primary key autoincrement,
  batch integer not null,
  was integer,
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
  price integer not null,
  half_stars integer not null,
  departure_minute integer not null,
  expires_at integer not null,
  local_charge integer not null default 0
) strict;
