import { subjectOf } from '../matching/describe-search.ts';
import type { AlertSession } from '../tables/alert-store.ts';
import type { Watch } from '../tables/watches.ts';
import { replyText } from '../texts/message-text.ts';
import { renderWhatsApp } from './whatsapp-message.ts';

/** The most characters of a WhatsApp message with buttons. */
const MAX_LENGTH = 1_024;

/** Limits the work. No more watches fit into a message. */
const MAX_LISTED = 15;

/** A list with as many watches as fit into a message with `link`, which leads to the others. */
export async function fittingList(
  store: AlertSession,
  watches: readonly Watch[],
  link: string | null,
  { before, after, now }: { before: readonly string[]; after: readonly string[]; now: number },
): Promise<string[]> {
  const listed = await Promise.all(watches.slice(0, MAX_LISTED).map((watch) => lineOf(store, watch, now)));
  for (let shown = listed.length; ; shown -= 1) {
    const others = watches.length - shown;
    const more = others === 0 ? [] : [`and ${others} more${link === null ? '' : `: ${link}`}`];
    const lines = [...before, ...listed.slice(0, shown), ...more, ...after];
    const { text } = renderWhatsApp(replyText(lines), link);
    if (text.length <= MAX_LENGTH || shown === 0) return lines;
  }
}

async function lineOf(store: AlertSession, { number, itemKey }: Watch, now: number): Promise<string> {
  const subject = await subjectOf(store, itemKey, now);
  if (subject === null) return `${number}. A holiday that isn't on sale at the moment.`;
  return `${number}. ${subject.words}, ${subject.now}.`;
}
