-- Nothing reads the daily index of prices. Price models are trained again, without the chance of a drop.
drop table price_index;
delete from price_model;
