-- 1: a price check, whose `next_price` is the provider's response. 0: a click.
alter table site_visit add column is_check smallint not null default 0;
-- One of 65,536 groups of clients: enough to tell several clients apart, too few to identify one.
alter table site_visit add column client integer;
update site_visit set is_check = 1 where settled_at = visited_at;
