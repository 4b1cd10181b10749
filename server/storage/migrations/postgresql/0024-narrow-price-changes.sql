-- No watch depends on these columns of a waiting price change, which were written and read for nothing.
alter table alert_price_change
  drop column price_before,
  drop column outbound_flight,
  drop column inbound_flight,
  drop column luggage,
  drop column seen_at;
