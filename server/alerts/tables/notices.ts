import type { AlertSession } from './alert-store.ts';

export interface Notice {
  id: number;
  at: number;
  kind:
    | 'unmatched stop'
    | 'unmatched data'
    | 'circuit'
    | 'template'
    | 'daily cap'
    | 'number changed'
    | 'account'
    | 'clock';
  text: string;
}

/** An identical notice is not raised again within this time. */
const REPEAT_AFTER_MS = 60 * 60 * 1000;

/** Notifies the operator in the log and in `npm run alerts -- status`. */
export async function raiseNotice(
  { sql }: AlertSession,
  kind: Notice['kind'],
  text: string,
  now: number,
): Promise<void> {
  const since = now - REPEAT_AFTER_MS;
  const raised =
    await sql.get`select 1 from alert_notice where kind = ${kind} and text = ${text} and at > ${since}`;
  if (raised !== undefined) return;
  await sql.run`insert into alert_notice (at, kind, text) values (${now}, ${kind}, ${text})`;
}

export async function noticesAfter({ sql }: AlertSession, id: number): Promise<Notice[]> {
  return (await sql.all`select id, at, kind, text from alert_notice where id > ${id} order by id`) as unknown as Notice[];
}
