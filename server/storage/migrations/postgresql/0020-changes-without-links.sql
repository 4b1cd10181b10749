-- No watch depends on the link of a package, which is half of a waiting price change.
alter table alert_price_change drop column link;
