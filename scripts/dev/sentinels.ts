import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

const COUNTRY = 'Failures';
const JSON_TYPE = 'application/json';
const BUSY = '{"errors":[{"message":"Busy"}]}';

/** How long a search of the slow place waits. */
const DELAY_MS = 5_000;

/** Places of the development server that show a failure, by their names in the destination field. */
export const SENTINELS: Readonly<Record<string, string>> = {
  'Busy server': 'answers 503 with Retry-After',
  'Broken server': 'answers 500',
  'Portal page': "answers 200 with a portal's HTML",
  'Damaged answer': 'answers JSON that breaks off',
  'Damaged holiday': 'answers a holiday without its fields',
  'Slow server': `answers after ${DELAY_MS / 1000} seconds`,
  'Empty place': 'has no holidays',
  'Only searches': "finds Spain's holidays; prices of other dates, analyses, histories and alerts answer 503",
};

/** The rows that the list of destinations gets. */
export const SENTINEL_ROWS = Object.keys(SENTINELS)
  .map((resort) => `${COUNTRY},${COUNTRY},${resort}\n`)
  .join('');

/**
 * Answers what a sentinel's results page posts. Resolves to false if the server at `serverUrl` must answer: it does so
 * for every other request.
 */
export async function answerSentinel(
  request: IncomingMessage,
  response: ServerResponse,
  serverUrl: () => Promise<string>,
): Promise<boolean> {
  const resort = request.method === 'POST' ? sentinelOf(request.headers.referer) : null;
  if (resort === null) return false;
  const send = (status: number, type: string, body: string, headers = {}) => {
    request.resume();
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
    return true;
  };
  switch (resort) {
    case 'Busy server':
      return send(503, JSON_TYPE, BUSY, { 'retry-after': '2' });
    case 'Broken server':
      return send(500, 'text/plain', 'Something broke');
    case 'Portal page':
      return send(200, 'text/html', '<!doctype html><title>Log in</title><h1>Log in to the Wi-Fi</h1>');
    case 'Damaged answer':
      return send(200, JSON_TYPE, '{"data":{"searchPackages":{"items":[{"Id":');
    case 'Damaged holiday':
      return send(200, JSON_TYPE, '{"data":{"searchPackages":{"items":[{"Id":"1"}],"count":1}}}');
    case 'Slow server':
      await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
      return false;
    case 'Only searches': {
      const body = await text(request);
      if (!body.includes('searchPackages(')) return send(503, JSON_TYPE, BUSY);
      const answer = await fetch(`${await serverUrl()}/graphql`, {
        method: 'POST',
        headers: { 'content-type': JSON_TYPE, 'x-api-key': String(request.headers['x-api-key']) },
        body: body.replace(
          `"country":"${COUNTRY}","region":"${COUNTRY}","resort":"${resort}"`,
          '"country":"Spain"',
        ),
      });
      return send(answer.status, JSON_TYPE, await answer.text());
    }
    default:
      return false;
  }
}

/** The sentinel that a page's URL names, or null. */
function sentinelOf(url: string | undefined): string | null {
  const parameters = url === undefined ? null : new URL(url).searchParams;
  return parameters?.get('country') === COUNTRY ? parameters.get('resort') : null;
}
