-- `gone_at`: the minute from which searches do not find the package. 0: not known yet, so its watch's search runs again.
alter table alert_search_best add column gone_at bigint not null default 0;
create index alert_search_best_package on alert_search_best (departure_day, hotel, board, airport, nights, party);
create index alert_search_best_gone on alert_search_best (gone_at);
create index alert_search_best_rearms on alert_search_best (rearms_from);

-- In order of days, so that an import reads only watches of its days. `width`: 7, 31 or 1000, the first that is at least
-- `last_day` - `first_day`.
alter table alert_search_place rename to alert_search_place_before;
create table alert_search_place (
  place text not null,
  party text not null,
  width bigint not null,
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
  primary key (place, party, width, first_day, watch)
) strict, without rowid;
insert into alert_search_place (place, party, width, watch, first_day, last_day, least_nights, most_nights, airports,
    boards, stars, fires_below)
  select place, party, case when last_day - first_day <= 7 then 7 when last_day - first_day <= 31 then 31 else 1000 end,
    watch, first_day, last_day, least_nights, most_nights, airports, boards, stars, fires_below
  from alert_search_place_before;
drop table alert_search_place_before;
create index alert_search_place_watch on alert_search_place (watch);
create index alert_search_place_below on alert_search_place (fires_below);
