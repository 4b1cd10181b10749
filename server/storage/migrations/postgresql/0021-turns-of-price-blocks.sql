-- Whoever changes price blocks writes the rows of their months first. On Citus, such a row stays locked until every worker
-- has committed what the writer before has written.
create table price_block_turn (
  month integer primary key,
  turn smallint not null
);
