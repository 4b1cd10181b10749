-- Feeds do not say everything: a hotel may be without coordinates, a flight without its far end and its times. A
-- hotel's code is its provider's own, or everybody's where `provider` is null.
alter table hotel alter column latitude drop not null, alter column longitude drop not null;
alter table hotel add column provider integer;
alter table flight alter column origin drop not null, alter column destination drop not null,
  alter column departure_minute drop not null, alter column duration_seconds drop not null;
