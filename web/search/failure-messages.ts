/** Shown if a search gets no response, or an unreadable one. */
export const UNREACHABLE_MESSAGE =
  'We couldn’t reach the search service. Check your connection, then search again.';
export const UNREADABLE_MESSAGE = 'We couldn’t read the search results. Please search again in a moment.';
