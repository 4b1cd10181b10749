import type { AlertStore } from './alert-store.ts';

/** What a person has answered in the local outbox. */
export interface OwnAnswer {
  text: string;
  at: number;
}

export function recordOwnAnswer({ sql }: AlertStore, person: number, text: string, at: number): void {
  sql.run`insert into alert_own_answer (person, text, at) values (${person}, ${text}, ${at})`;
}

/** The latest answers, oldest first. */
export function ownAnswers({ sql }: AlertStore, person: number, most: number): OwnAnswer[] {
  const rows = sql.all`select text, at from alert_own_answer where person = ${person} order by id desc limit ${most}`;
  return rows.toReversed().map(({ text, at }) => ({ text: String(text), at: Number(at) }));
}
