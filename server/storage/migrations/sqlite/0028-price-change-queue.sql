-- The price changes of one transaction, as PostgreSQL has them. `moment` is their logical time; null: nobody watched at
-- the commit, so they are deleted.
create table alert_price_batch (
  id integer primary key autoincrement,
  moment integer
) strict;

-- `was` is the price before, or null for a package that was removed. The rest is the new row of `offer`, or the removed
-- one.
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
  expires_at integer not null
) strict;
