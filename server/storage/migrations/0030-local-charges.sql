-- Twice the charges payable at the resort in pence: 0 if unknown too. Plus 1 if the feed states them; otherwise the table
-- of the note 'local_charges' gives them. `price` is the provider's.
alter table offer add column local_charge integer not null default 0;
alter table alert_price_change add column local_charge integer not null default 0;
