/** What a person's message asks us to do. */
export type Command =
  | { kind: 'stop' }
  /** Ends the watches with these numbers; without numbers, the one that the last alert was about. */
  | { kind: 'stop-one'; numbers: readonly number[] }
  /** May be a stop: we reply with a question that has two buttons. */
  | { kind: 'ask' }
  /** Is about the hours at which we write: we ask the same question, and state our hours. */
  | { kind: 'hours' }
  /** Keeps the alerts, or the data, that a question was about. */
  | { kind: 'keep' }
  | { kind: 'yes' }
  | { kind: 'no' }
  | { kind: 'start' }
  | { kind: 'list' }
  /** Asks for the link to the holiday of the watch with this number. */
  | { kind: 'see'; number: number }
  | { kind: 'help' }
  /** A question about personal data. */
  | { kind: 'data-question' }
  /** Asks for deletion, which we confirm first. */
  | { kind: 'ask-delete' }
  /** Confirms the deletion. */
  | { kind: 'delete' }
  | { kind: 'none' };

/** Reads the payload of one of our buttons (`texts/message-text.ts`); null for any other. */
export function readPayload(payload: string): Command | null {
  const [, word = '', number] = /^\s*(stop|see|keep|yes|delete)(?:[: ](\d{1,6}))?\s*$/i.exec(payload) ?? [];
  switch (word.toLowerCase()) {
    case 'stop':
      return number === undefined ? { kind: 'stop' } : { kind: 'stop-one', numbers: [Number(number)] };
    case 'see':
      return number === undefined ? null : { kind: 'see', number: Number(number) };
    case 'keep':
      return { kind: 'keep' };
    case 'yes':
      return { kind: 'yes' };
    case 'delete':
      return { kind: 'delete' };
    default:
      return null;
  }
}
