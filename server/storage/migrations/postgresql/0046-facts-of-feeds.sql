alter table offer_staged add column extras integer;
