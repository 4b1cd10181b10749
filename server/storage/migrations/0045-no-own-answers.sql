-- Replies in the local outbox are not stored, as those through a provider are not.
drop table alert_own_answer;
