import type { AlertStore } from './alert-store.ts';

/** Answers of a person that are kept: nothing else limits how often the outbox is answered. */
const KEPT = 1_000;

/** Records what a person has answered in the local outbox, and deletes the oldest beyond those that are kept. */
export function recordOwnAnswer({ sql }: AlertStore, person: number, text: string, at: number): void {
  sql.run`insert into alert_own_answer (person, text, at) values (${person}, ${text}, ${at})`;
  sql.run`delete from alert_own_answer where person = ${person} and id <= (
    select id from alert_own_answer where person = ${person} order by id desc limit 1 offset ${KEPT})`;
}

/** The latest answers, oldest first. */
export function ownAnswers({ sql }: AlertStore, person: number, most: number) {
  const rows = sql.all`select text, at from alert_own_answer where person = ${person} order by id desc limit ${most}`;
  return rows.toReversed().map(({ text, at }) => ({ text: String(text), at: Number(at) }));
}
