-- Running references: they are read from one row a package, the steps of its price, and from when each watch began.

-- Moments: whole numbers that only grow, whatever the clocks say. A price change, a watch's start and a telling
-- each take the next one, in the transaction that does it.
create table alert_moment (id bigint primary key check (id = 1), moment bigint not null);
insert into alert_moment (id, moment) values (1, 0);

-- The moment at which a watch became active.
alter table alert_watch add column started bigint;
drop index alert_watch_matching;
create index alert_watch_matching on alert_watch (resort, nights, party, airport, departure_day) where state = 'active';

-- Packages that somebody may be watching and that stand below an earlier price; `steps` is JSON, the prices that
-- were the highest since some moment. Whoever watches, and since when, the reference is read from them.
create table alert_fallen_price (
  item_key text primary key,
  resort text not null,
  nights bigint not null,
  party text not null,
  departure_day bigint not null,
  airport text not null,
  board text not null,
  half_stars bigint not null,
  steps text not null
);
create index alert_fallen_price_near on alert_fallen_price (resort, nights, party, departure_day);

-- Since when a watch's number knows of a package's price.
create table alert_told (
  watch bigint not null references alert_watch (id) on delete cascade,
  item_key text not null,
  moment bigint not null,
  primary key (watch, item_key)
);
