/** A list that is loaded at the start: pending, stored, or failed with a message for the visitor (Section 4). */
export type LoadState<T> =
  | { status: 'pending' }
  | { status: 'stored'; value: T }
  | { status: 'failed'; message: string };
