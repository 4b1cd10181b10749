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
