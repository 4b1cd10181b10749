/** What a person's message asks for. */
export type Command =
  | { kind: 'stop' }
  /** Of the watches with these numbers; without numbers, of the one that the last alert was about. */
  | { kind: 'stop-one'; numbers: readonly number[] }
  /** It may be a stop. The answer is a question. */
  | { kind: 'stop?' }
  /** The answer to that question: no. */
  | { kind: 'keep' }
  | { kind: 'yes' }
  | { kind: 'no' }
  | { kind: 'start' }
  | { kind: 'list' }
  /** The address of a watch's holiday, by the watch's number. */
  | { kind: 'see'; number: number }
  | { kind: 'help' }
  | { kind: 'delete' }
  | { kind: 'neither' };
