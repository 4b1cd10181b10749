/** The state of something that is loaded at the start; a failure has a message for the visitor (Section 4). */
export type LoadState<T> =
  | { status: 'pending' }
  | { status: 'stored'; value: T }
  | { status: 'failed'; message: string };
