-- Hotels, rooms and flights are looked up when they are needed: an ItemKey names the first two by their codes.
create index hotel_code on hotel (code);
create index room_code on room (code);
