-- Feeds do not say everything: a hotel may be without coordinates, a flight without its far end and its times. A
-- hotel's code is its provider's own, or everybody's where `provider` is null.
create table hotel_of_feeds (
  id integer primary key, code text not null, name text not null, resort integer not null,
  half_stars integer not null, consumer_rating real, latitude real, longitude real, provider integer
) strict;
insert into hotel_of_feeds
  select id, code, name, resort, half_stars, consumer_rating, latitude, longitude, null from hotel;
drop table hotel;
alter table hotel_of_feeds rename to hotel;

create table flight_of_feeds (
  id integer primary key, number text not null, airline text not null,
  origin integer, destination integer, departure_minute integer, duration_seconds integer
) strict;
insert into flight_of_feeds
  select id, number, airline, origin, destination, departure_minute, duration_seconds from flight;
drop table flight;
alter table flight_of_feeds rename to flight;
