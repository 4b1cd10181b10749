-- What a fallen package is, is read with its offer: here it is only found by its ItemKey.
drop index alert_fallen_price_near;
alter table alert_fallen_price drop column resort;
alter table alert_fallen_price drop column nights;
alter table alert_fallen_price drop column party;
alter table alert_fallen_price drop column airport;
alter table alert_fallen_price drop column board;
alter table alert_fallen_price drop column half_stars;
