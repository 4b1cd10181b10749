-- The lowest and highest prices of each departure day, beside the offers: one row for a month's departures from an
-- airport to a resort, for a party and a number of nights, in the order in which searches over months read them.
-- `cells` is described in server/inventory/price-block.ts. `lowest` is the lowest price in it; `expires_at` is the
-- earliest expiry before departure, or 2147483647. Both are read without `cells`.
create table price_block (
  party integer not null,
  nights integer not null,
  month integer not null,
  airport integer not null,
  country integer not null,
  region integer not null,
  resort integer not null,
  lowest integer not null,
  expires_at integer not null,
  cells blob not null,
  primary key (party, nights, month, airport, country, region, resort)
) strict, without rowid;

-- Offers that are already in the store get their blocks when it is next opened.
insert into note (name, value) select 'price_blocks.from_month', '0' where exists (select 1 from offer);
