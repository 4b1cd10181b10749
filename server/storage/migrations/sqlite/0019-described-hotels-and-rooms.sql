-- The provider whose feed describes a hotel with a shared code. Null: the next feed that has the hotel; for other hotels,
-- and in stores of earlier versions.
alter table hotel add column described_by integer;

-- STANDARD was the code of packages without a room description and of rooms that are described as 'Standard'. It stays the
-- code of the former.
update alert_watch set item_key = replace(item_key, ':STANDARD:', ':STANDARD-:')
  where item_key like '%:STANDARD:%' and item_key not like '%:STANDARD:%:%'
    and exists (select 1 from room where code = 'STANDARD' and description <> '');
update alert_told set item_key = replace(item_key, ':STANDARD:', ':STANDARD-:')
  where item_key like '%:STANDARD:%' and item_key not like '%:STANDARD:%:%'
    and exists (select 1 from room where code = 'STANDARD' and description <> '');
update alert_fallen_price set item_key = replace(item_key, ':STANDARD:', ':STANDARD-:')
  where item_key like '%:STANDARD:%' and item_key not like '%:STANDARD:%:%'
    and exists (select 1 from room where code = 'STANDARD' and description <> '');
update alert_gone_price set item_key = replace(item_key, ':STANDARD:', ':STANDARD-:')
  where item_key like '%:STANDARD:%' and item_key not like '%:STANDARD:%:%'
    and exists (select 1 from room where code = 'STANDARD' and description <> '');
update site_visit set item_key = replace(item_key, ':STANDARD:', ':STANDARD-:')
  where item_key like '%:STANDARD:%' and item_key not like '%:STANDARD:%:%'
    and exists (select 1 from room where code = 'STANDARD' and description <> '');
update room set code = 'STANDARD-' where code = 'STANDARD' and description <> '';
