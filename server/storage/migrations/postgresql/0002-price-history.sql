-- Every written price change: the price that a package had until then, and the one that it has since. Appended,
-- never changed. A package is named as in `offer`; its hotel stands for its country, region and resort.
create table price_observation (
  departure_day integer not null,
  nights integer not null,
  party integer not null,
  hotel integer not null,
  airport integer not null,
  board integer not null,
  room integer not null,
  provider integer not null,
  seen_at integer not null,
  price integer not null,
  primary key (departure_day, nights, party, hotel, airport, board, room, provider, seen_at)
);

-- The sample market's past: how a hotel's prices for a departure month moved, a day a step, up to `last_day`.
-- `levels` are 16-bit little-endian whole numbers, ten thousandths of a natural logarithm.
create table price_path (
  hotel integer not null,
  departure_month integer not null,
  last_day integer not null,
  levels bytea not null,
  primary key (hotel, departure_month)
);

-- The daily index: what packages of a resort, departure month (months since 1970-01), nights and whole stars
-- cost on the days from `first_day` on. Six little-endian bytes a day: a geometric mean in pence in four, how
-- many packages it is of in two; no packages, no price.
create table price_index (
  resort integer not null,
  departure_month integer not null,
  nights integer not null,
  stars integer not null,
  first_day integer not null,
  days bytea not null,
  primary key (resort, departure_month, nights, stars)
);

-- Trained models, newest last; `body` is JSON.
create table price_model (
  version integer primary key, trained_at integer not null, body text not null
);

-- Click-throughs, without a word about who clicked: a package and the price that its card showed.
create table site_visit (
  id bigint generated always as identity primary key,
  provider integer not null,
  item_key text not null,
  price integer not null,
  visited_at integer not null
);
create index site_visit_at on site_visit (visited_at);
