import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { resolve } from 'node:path';
import type { PriceCheck } from '../feed/map/holiday-providers.ts';
import type { RequestPrice } from './price-checks.ts';

/** The whole check has 1.5 s; the rest is for the store. */
const MAX_MS = 1_000;
const MAX_CHARACTERS = 10_000;

/** Sends https requests, and follows no redirects. Paths of secrets are relative to `folder`. */
export function requestPrice(folder: string): RequestPrice {
  return async ({ url, secretFile }: PriceCheck, content) => {
    const secret = secretFile && readFileSync(resolve(folder, secretFile), 'utf8').trim();
    const outgoing = request(url, {
      method: 'POST',
      signal: AbortSignal.timeout(MAX_MS),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Skylark',
        ...(secret && { authorization: `Bearer ${secret}` }),
      },
    });
    outgoing.end(JSON.stringify(content));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    try {
      if (response.statusCode !== 200) throw new Error(`it responded with status ${response.statusCode}`);
      let text = '';
      for await (const part of response.setEncoding('utf8')) {
        text += part;
        if (text.length > MAX_CHARACTERS) throw new Error('its response is too long');
      }
      return JSON.parse(text);
    } finally {
      response.destroy();
    }
  };
}
