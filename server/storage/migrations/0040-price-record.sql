-- A day's published verdicts and outcomes (server/price-record): the root of the chain at this file, and the file in gzip.
create table price_record (
  day bigint primary key,
  root text not null,
  file bytea not null
) strict;
