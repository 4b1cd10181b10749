-- `cells` has the lowest price of every entry in a column of its own (server/inventory/price-block.ts). The blocks of
-- offers that are already in the store are written anew when it is next opened.
delete from price_block;
delete from note where name = 'price_blocks.from_month';
insert into note (name, value) select 'price_blocks.from_month', '0' where exists (select 1 from offer);
