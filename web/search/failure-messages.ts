/** The visitor's messages for a search without an answer and for an unreadable answer. */
export const UNREACHABLE_MESSAGE =
  'The search could not reach the server. Check your connection, then search again.';
export const UNREADABLE_MESSAGE =
  'The search service gave an answer that this page cannot read. Please search again in a moment.';
