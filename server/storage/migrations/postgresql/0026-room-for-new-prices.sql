-- A feed may change every price. With as much room as rows on each page, new versions stay beside the old ones, no index
-- entry is written, and the next import finds the room of the old versions again. Pages that are full already are not
-- changed.
alter table offer set (fillfactor = 50);
