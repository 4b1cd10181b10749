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
