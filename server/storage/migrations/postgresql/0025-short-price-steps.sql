-- Price steps as lists of three numbers, [price, at, until], instead of objects with names: rows are shorter.
update alert_fallen_price set steps = (
  select coalesce(json_agg(json_build_array(step -> 'price', step -> 'at', step -> 'until') order by nth)::text, '[]')
  from json_array_elements(steps::json) with ordinality as stored (step, nth)
);
