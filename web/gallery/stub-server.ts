import { CHEAPEST_DATES, PRICE_HISTORY } from './gallery-data.ts';

/** How the stub answers a sign-up for price alerts. */
export type SignUpAnswer = 'accepted' | 'failed' | 'never';

/** Answers what the parts ask a server, so that the gallery needs none. */
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
