-- `hotels` has the lowest price of each hotel of a block (server/inventory/block-hotels.ts). Searches by price read it, and
-- the lowest price of the block, from one index, where a page holds many blocks. The blocks of offers that are already in
-- the store are written anew when it is next opened.
delete from price_block;
alter table price_block add column hotels blob not null default x'';
drop index price_block_lowest;
create index price_block_prices on price_block
  (party, nights, month, airport, country, region, resort, lowest, lowest_day, expires_at, hotels);
delete from note where name = 'price_blocks.from_month';
insert into note (name, value) select 'price_blocks.from_month', '0' where exists (select 1 from offer);
