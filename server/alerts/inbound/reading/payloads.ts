import type { Command } from './command.ts';

/** Reads the payload of one of our buttons (`tables/messages.ts`); null for any other. */
export function readPayload(payload: string): Command | null {
  const [, word = '', number] = /^\s*(stop|see|keep|yes)(?:[: ](\d{1,6}))?\s*$/i.exec(payload) ?? [];
  switch (word.toLowerCase()) {
    case 'stop':
      return number === undefined ? { kind: 'stop' } : { kind: 'stop-one', numbers: [Number(number)] };
    case 'see':
      return number === undefined ? null : { kind: 'see', number: Number(number) };
    case 'keep':
      return { kind: 'keep' };
    case 'yes':
      return { kind: 'yes' };
    default:
      return null;
  }
}
