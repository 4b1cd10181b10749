-- What a fallen package is, is read with its offer: here it is only found by its ItemKey. A row costs half as much to write.
drop index alert_fallen_price_near;
alter table alert_fallen_price
  drop column resort, drop column nights, drop column party,
  drop column airport, drop column board, drop column half_stars;
