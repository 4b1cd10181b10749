-- In kilometres.
alter table hotel add column sea_distance double precision;
