-- Each batch of price changes asks whether any active watch has a limit.
create index alert_watch_limits on alert_watch (id) where state = 'active' and below_price is not null;
-- What has waited for a YES for too long, and what ended long ago, is looked for every hour.
create index alert_watch_asked on alert_watch (created_at) where state = 'asked';
create index alert_watch_ended on alert_watch (ended_at) where state = 'ended';
