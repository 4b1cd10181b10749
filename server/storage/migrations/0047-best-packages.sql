-- `gone_at`: the minute from which searches do not find the package. 0: not known yet, so its watch's search runs again.
alter table alert_search_best add column gone_at bigint not null default 0;
create index alert_search_best_package on alert_search_best (departure_day, hotel, board, airport, nights, party);
create index alert_search_best_gone on alert_search_best (gone_at);
create index alert_search_best_rearms on alert_search_best (rearms_from);
