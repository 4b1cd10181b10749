-- The query of the flexible search that a sign-up came from, for links. Null: an exact search.
alter table alert_watch add column search text;
