alter table offer_staged add column local_charge integer;
