import type { AlertSession } from './alert-store.ts';

const MAX_ANSWERS = 1_000;

/** Records a reply in the local outbox, and deletes the oldest beyond `MAX_ANSWERS`. */
export async function recordOwnAnswer(
  { sql }: AlertSession,
  contact: number,
  text: string,
  at: number,
): Promise<void> {
  await sql.run`insert into alert_own_answer (contact, text, at) values (${contact}, ${text}, ${at})`;
  await sql.run`delete from alert_own_answer where contact = ${contact} and id <= (
    select id from alert_own_answer where contact = ${contact} order by id desc limit 1 offset ${MAX_ANSWERS})`;
}

export async function ownAnswers({ sql }: AlertSession, contact: number, most: number) {
  const rows =
    await sql.all`select text, at from alert_own_answer where contact = ${contact} order by id desc limit ${most}`;
  return rows.toReversed().map(({ text, at }) => ({ text: String(text), at: Number(at) }));
}
