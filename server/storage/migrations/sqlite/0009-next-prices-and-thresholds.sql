-- What the provider said next about a clicked package: at its next feed import after the click (minutes since the
-- epoch), the price then, or null for a package that was sold out. Clicks recorded so far are of unsigned prices.
delete from site_visit;
alter table site_visit add column settled_at integer;
alter table site_visit add column next_price integer;
create index site_visit_open on site_visit (provider, item_key) where settled_at is null;

-- A watch may be for prices below this one only, in pence.
alter table alert_watch add column below_price integer;
