-- Every minute, Skylark looks for the latest attempts with changes, and for those that found a gap.
create index feed_attempt_changes on feed_attempt (provider, id) where detail like '%"isChanges":true%';
create index feed_attempt_gap on feed_attempt (provider, id) where detail like '%"missing":%';
