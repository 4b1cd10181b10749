-- Twice the charges payable at the resort, in pence. 0 may also mean unknown. Odd (one more) if the feed
-- states them; otherwise they are from the table in the note 'local_charges'. `price` is the provider's.
alter table offer add column local_charge integer not null default 0;
alter table alert_price_change add column local_charge integer not null default 0;
