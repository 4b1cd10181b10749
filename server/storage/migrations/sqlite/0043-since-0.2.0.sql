-- A limit on one package becomes a watch of the search that finds it. A watch with an encoded hotel code is matched with
-- packages of all hotels.
insert into alert_search (watch, limit_price, must_look)
  select id, below_price - 1, 1 from alert_watch where below_price is not null and state <> 'ended';
insert into alert_search_place (place, party, watch, first_day, last_day, least_nights, most_nights, airports, boards, stars)
  select case when json_extract('["' || replace(item_key, ':', '","') || '"]', '$[1]') like '%\%%' escape '\' then '*' else 'h:' || json_extract('["' || replace(item_key, ':', '","') || '"]', '$[1]') end, party, id, departure_day, departure_day, nights, nights, -1, -1, -1
  from alert_watch join alert_search on watch = id;
update alert_watch set item_key = '?from=' || json_extract('["' || replace(item_key, ':', '","') || '"]', '$[2]') || '&date=' || json_extract('["' || replace(item_key, ':', '","') || '"]', '$[3]') || '&nights=' || json_extract('["' || replace(item_key, ':', '","') || '"]', '$[4]')
    || '&adults=' || json_extract('["' || replace(party, '-', '","') || '"]', '$[0]')
    || '&children=' || json_extract('["' || replace(party, '-', '","') || '"]', '$[1]')
    || '&infants=' || json_extract('["' || replace(party, '-', '","') || '"]', '$[2]')
    || case when board in ('AI', 'AP', 'BB', 'CB', 'CC', 'CL', 'DH', 'DI', 'FB', 'FD', 'FP', 'HB', 'NA', 'RO', 'SC', 'VB') then '&board=' else '&boards=' end || json_extract('["' || replace(item_key, ':', '","') || '"]', '$[5]') || '&hotelcode=' || json_extract('["' || replace(item_key, ':', '","') || '"]', '$[1]') || '&until=' || json_extract('["' || replace(item_key, ':', '","') || '"]', '$[3]') || '&alert=' || number
  where id in (select watch from alert_search);
update alert_watch set resort = '//' where id in (select watch from alert_search);
alter table alert_watch drop column below_price;
