/** A channel that messages go through. */
export type Channel = (typeof CHANNELS)[number];

export const CHANNELS = ['whatsapp', 'email', 'push'] as const;

/** What a stop covers: watches of a person, one channel to them, or everything. */
export type StopScope =
  | { kind: 'watches'; watches: readonly number[] }
  | { kind: 'channel'; channel: Channel }
  | { kind: 'everything' };
