/** What a visitor is told where a search got no answer, and where it got one that is none. */
export const UNREACHABLE_MESSAGE =
  'The search could not reach the server. Check your connection, then search again.';
export const UNREADABLE_MESSAGE =
  'The search service gave an answer that this page cannot read. Please search again in a moment.';
