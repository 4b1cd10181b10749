/** The fetch options of a request to a search service (Section 7). The caller adds a signal. */
export function graphqlRequest(apiKey: string, query: string, variables: object) {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ query, variables }),
  };
}
