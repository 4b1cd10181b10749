-- A run is a time in which a package was seen on every day at one price. The current run of a package is in `offer`: it
-- began at `price_since` (minutes since 1970) and has lasted until `seen_at`. 0: not known, as in the sample, or recorded
-- as a row of the history by an earlier version.
alter table offer add column price_since integer not null default 0;

-- An ended run: it began at `seen_at` and has lasted until `last_seen_at`. Null, in a row of an earlier version: the
-- package was seen once, and `after_gap` says whether it was not seen on every day since the row before.
alter table price_observation add column last_seen_at integer;
