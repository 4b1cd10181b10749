-- Whoever changes price blocks waits for prepared transactions instead, which needs no rows.
drop table price_block_turn;
