insert into alert_pause (channel, template) values ('ntfy', '');
