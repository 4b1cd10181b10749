-- Of feeds, for the hotel's page; `facilities` has one a line.
alter table hotel add column facilities text;
alter table hotel add column description text;
alter table hotel add column child_prices text;
-- Transfer and weights of bags: see server/inventory/offer-extras.ts.
alter table offer add column extras integer not null default 0;
