-- A limit on one package becomes a watch of the search that finds it. A watch with an encoded hotel code is matched with
-- packages of all hotels.
insert into alert_search (watch, limit_price, must_look)
  select id, below_price - 1, 1 from alert_watch where below_price is not null and state <> 'ended';
insert into alert_search_place (place, party, watch, first_day, last_day, least_nights, most_nights, airports, boards, stars)
  select case when split_part(item_key, ':', 2) like '%\%%' escape '\' then '*' else 'h:' || split_part(item_key, ':', 2) end, party, id, departure_day, departure_day, nights, nights, -1, -1, -1
  from alert_watch join alert_search on watch = id;
update alert_watch set item_key = '?from=' || split_part(item_key, ':', 3) || '&date=' || split_part(item_key, ':', 4) || '&nights=' || split_part(item_key, ':', 5)
    || '&adults=' || split_part(party, '-', 1)
    || '&children=' || split_part(party, '-', 2)
    || '&infants=' || split_part(party, '-', 3)
    || case when board in ('AI', 'AP', 'BB', 'CB', 'CC', 'CL', 'DH', 'DI', 'FB', 'FD', 'FP', 'HB', 'NA', 'RO', 'SC', 'VB') then '&board=' else '&boards=' end || split_part(item_key, ':', 6) || '&hotelcode=' || split_part(item_key, ':', 2) || '&until=' || split_part(item_key, ':', 4) || '&alert=' || number
  where id in (select watch from alert_search);
update alert_watch set resort = '//' where id in (select watch from alert_search);
alter table alert_watch drop column below_price;
