-- A person who signed up is one contact: a phone number, an email address or a browser's push subscription.
alter table alert_person rename to alert_contact;
alter table alert_contact rename column number_key to contact_key;
alter table alert_contact rename column number_sealed to contact_sealed;
alter table alert_consent rename column number_key to contact_key;
alter table alert_asked rename column number_key to contact_key;
alter table alert_audit rename column number_key to contact_key;
alter table alert_watch rename column person to contact;
alter table alert_message rename column person to contact;
alter table alert_attempt rename column person to contact;
alter table alert_own_answer rename column person to contact;
