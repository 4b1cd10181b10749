/** The state of data that is loaded at the start, with a message for the visitor if it failed (Section 4). */
export type LoadState<T> =
  | { status: 'pending' }
  | { status: 'stored'; value: T }
  | { status: 'failed'; message: string };
