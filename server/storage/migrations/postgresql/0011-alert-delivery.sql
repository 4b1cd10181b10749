-- The channel that a message goes through. Claims, limits and outcomes do not depend on it.
alter table alert_message add column channel text not null default 'whatsapp';
create index alert_message_state on alert_message (state, id);

-- When the provider is next asked about an attempt with an unknown outcome, and how often it has been.
alter table alert_attempt add column ask_at bigint;
alter table alert_attempt add column asks bigint not null default 0;
create index alert_attempt_unknown on alert_attempt (ask_at) where state = 'unknown';

-- Whether the confirmation request went out. Only one that did keeps a number from being asked again.
alter table alert_asked add column went_out bigint not null default 1;
update alert_asked set went_out = 0 where number_key in (
  select number_key from alert_person where id in (select person from alert_message where kind = 'confirm')
    and id not in (
      select person from alert_message where kind = 'confirm' and state in ('accepted', 'delivered', 'read')
    )
);

-- Until when an operator has paused all sending; null: not paused.
alter table alert_circuit add column held_until bigint;

-- Templates that the provider does not accept now. Their messages wait until `until`, then one of them is tried.
create table alert_template_hold (
  template text primary key,
  until bigint not null,
  openings bigint not null,
  reason text not null,
  since bigint not null
);

-- What the provider last said about a template or the sending number.
create table alert_provider_state (
  subject text primary key,
  state text not null,
  reason text,
  at bigint not null
);

-- Operators' acts on one number: who, when and why. The number is a keyed hash.
create table alert_audit (
  id bigint generated always as identity primary key,
  at bigint not null,
  number_key text,
  act text not null,
  who text not null,
  why text not null
);
create index alert_audit_number on alert_audit (number_key);

-- The last price of watched packages that left the inventory.
create table alert_gone_price (
  item_key text primary key,
  price bigint not null,
  gone_at bigint not null
);
create index alert_gone_price_at on alert_gone_price (gone_at);

-- Generations of the keys for hashes and numbers after the first, encrypted with the key of the alerts.
create table alert_key (
  generation bigint primary key check (generation > 1),
  sealed bytea not null,
  created_at bigint not null,
  -- When every record had been moved to it.
  finished_at bigint
);
