-- `cells` has the lowest price of every entry in a column of its own (server/inventory/price-block.ts), and `lowest_day`
-- is the index in its month of the first day with the lowest price. The blocks of offers that are already in the store
-- are written anew when it is next opened.
delete from price_block;
alter table price_block add column lowest_day integer not null default 0;
-- The lowest prices of many blocks are read without the blocks, which are large.
create index price_block_lowest on price_block
  (party, nights, month, airport, country, region, resort, lowest, lowest_day, expires_at);
delete from note where name = 'price_blocks.from_month';
insert into note (name, value) select 'price_blocks.from_month', '0' where exists (select 1 from offer);
