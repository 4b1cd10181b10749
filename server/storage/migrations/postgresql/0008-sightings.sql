-- 1: the package was not seen on every day between the row before and this one, as after a failed import or while it was
-- sold out. 0, with the price of the row before: it was seen on every day between them. Older rows count as 0.
alter table price_observation add column after_gap integer not null default 0;
