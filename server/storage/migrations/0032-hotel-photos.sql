-- URLs of a hotel's photos, separated by spaces. Null: none known.
alter table hotel add column photos text;
