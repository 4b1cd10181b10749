-- `hotels` has the lowest price of each hotel of a block (server/inventory/block-hotels.ts), and is read without `cells`.
-- The blocks of offers that are already in the store are written anew when it is next opened.
delete from price_block;
alter table price_block add column hotels bytea not null default '';
delete from note where name = 'price_blocks.from_month';
insert into note (name, value) select 'price_blocks.from_month', '0' where exists (select 1 from offer);
