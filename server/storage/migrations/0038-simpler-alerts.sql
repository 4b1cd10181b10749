-- On WhatsApp, a reply is free text and every other message is a template.
alter table alert_message drop column form;

-- Opened links are not counted, and the provider's reports raise notices.
drop table alert_click_day;
drop table alert_provider_state;
