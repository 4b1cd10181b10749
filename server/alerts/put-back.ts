import type { AlertStore } from './records/alert-store.ts';

/** Puts a message that was not sent back into the queue. A watch's newer alert, where one waits, stands for it. */
export function putBack({ sql }: AlertStore, message: number, dueAt: number, now: number): void {
  const newer = sql.get`select 1 from alert_message as own join alert_message as other
      on other.watch = own.watch and other.kind = 'drop' and other.state = 'queued' and other.id <> own.id
    where own.id = ${message} and own.kind = 'drop'`;
  if (newer === undefined) {
    sql.run`update alert_message set state = 'queued', due_at = ${dueAt} where id = ${message}`;
  } else {
    sql.run`update alert_message set state = 'dropped', reason = 'a newer alert stands for it', settled_at = ${now}
      where id = ${message}`;
  }
}

/** The same for free text that is only taken as a template now. */
export function putBackAsTemplate(store: AlertStore, message: number, now: number): void {
  store.sql.run`update alert_message set form = 'template' where id = ${message}`;
  putBack(store, message, now, now);
}
