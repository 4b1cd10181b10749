import { CHEAPEST_DATES, PRICE_HISTORY } from './gallery-data.ts';

/** The stub's response to an alert sign-up. */
export type SignUpAnswer = 'accepted' | 'failed' | 'never';

/** Replaces `fetch`, so that the gallery needs no server. */
export function stubServer(signUp: SignUpAnswer = 'accepted'): void {
  window.fetch = async (input) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url.endsWith('/graphql'))
      return Response.json({ data: { cheapestDates: CHEAPEST_DATES, priceHistory: PRICE_HISTORY } });
    if (!url.endsWith('/intents')) return new Response(null, { status: 404 });
    if (signUp === 'never') return new Promise(() => {});
    return new Response(null, { status: signUp === 'accepted' ? 204 : 500 });
  };
}
