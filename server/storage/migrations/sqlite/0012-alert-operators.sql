-- When the person last wrote, by the message's own time: somebody who has just written is there at that moment.
alter table alert_person add column wrote_at integer;

-- The secrets before this generation, encrypted with its own, and the fingerprint of its own secret. `sealed` is empty
-- once the secret before may not open the store any more.
alter table alert_key add column older blob;
alter table alert_key add column fingerprint text;

-- How often links in messages were opened, by London day. Nothing says by whom.
create table alert_click_day (day text primary key, count integer not null) strict, without rowid;
