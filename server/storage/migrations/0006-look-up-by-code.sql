-- ItemKeys identify hotels and rooms by their codes.
create index hotel_code on hotel (code);
create index room_code on room (code);
