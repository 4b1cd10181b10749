-- STOP pauses watches. START makes those that had started active again, and the others wait for YES again.
drop index alert_watch_matching;
drop index alert_watch_once;
drop index alert_watch_departure;
drop index alert_watch_limits;
drop index alert_watch_asked;
drop index alert_watch_ended;
alter table alert_watch rename column state to earlier_state;
alter table alert_watch add column state text not null default 'asked'
  check (state in ('asked', 'active', 'paused', 'ended'));
update alert_watch set state = earlier_state;
alter table alert_watch drop column earlier_state;
create index alert_watch_matching on alert_watch (resort, nights, party, airport, departure_day)
  where state = 'active';
create unique index alert_watch_once on alert_watch (contact, item_key) where state <> 'ended';
create index alert_watch_departure on alert_watch (departs_at) where state <> 'ended';
create index alert_watch_limits on alert_watch (id) where state = 'active' and below_price is not null;
create index alert_watch_unconfirmed on alert_watch (created_at) where started is null and state <> 'ended';
create index alert_watch_ended on alert_watch (ended_at) where state = 'ended';
