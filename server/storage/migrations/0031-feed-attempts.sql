-- Each attempt to import a provider's feed. Times are milliseconds since 1970. `ended_at` is null while it runs.
-- `detail` is JSON: server/feed/attempts/attempt-table.ts. `host`: whose data folder has the stored feed.
create table feed_attempt (
  id bigint generated always as identity primary key,
  provider text not null,
  started_at bigint not null,
  ended_at bigint,
  source text not null,
  outcome text not null,
  message text not null default '',
  host text not null,
  detail text not null default '{}'
) strict;
create index feed_attempt_provider on feed_attempt (provider, id);
