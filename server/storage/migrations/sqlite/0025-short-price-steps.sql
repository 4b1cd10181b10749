-- Price steps as lists of three numbers, [price, at, until], instead of objects with names: rows are shorter.
update alert_fallen_price set steps = (
  select json_group_array(json_array(value ->> 'price', value ->> 'at', value ->> 'until')) from json_each(steps)
);
