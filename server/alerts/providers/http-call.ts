import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { NOT_SENT, type SendOutcome } from './message-provider.ts';
import { readJson } from './readable-items.ts';

/** A response, or the outcome of a call without one. */
export type CallResult =
  | { kind: 'response'; status: number; body: unknown; retryAfterMs: number | null }
  | Exclude<SendOutcome, { kind: 'accepted' }>;

/** A request. A null body makes it a GET. */
export interface CallInit {
  headers: Record<string, string>;
  body: string | Uint8Array | null;
}

/** A longer `Retry-After` is cut to this. */
const MAX_RETRY_AFTER_MS = 60 * 60 * 1_000;

/** The largest response to a message, and to a look-up, which lists up to a hundred messages. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_LIST_BYTES = 1024 * 1024;

const HTTP = new HttpAgent({ keepAlive: true });
const HTTPS = new HttpsAgent({ keepAlive: true });

/** Makes one call to a provider, for at most `timeoutMs`. Never throws. */
export async function callProvider(
  url: string,
  init: CallInit,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<CallResult> {
  /** Whether anything may have been sent: only once the connection is established. */
  let mayBeSent = false;
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const response = await respond(url, init, limited, () => {
      mayBeSent = true;
    });
    const retryAfterMs = waitOf(response.headers['retry-after'] ?? null);
    return {
      kind: 'response',
      status: response.statusCode ?? 0,
      body: readJson(await textOf(response, init.body === null ? MAX_LIST_BYTES : MAX_ANSWER_BYTES)),
      retryAfterMs,
    };
  } catch (error) {
    return mayBeSent ? { kind: 'unknown', why: codeOf(error) } : NOT_SENT;
  }
}

function respond(
  url: string,
  { headers, body }: CallInit,
  signal: AbortSignal,
  connected: () => void,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const isSecure = url.startsWith('https:');
  const method = body === null ? 'GET' : 'POST';
  const request = isSecure
    ? requestHttps(url, { method, headers, signal, agent: HTTPS })
    : requestHttp(url, { method, headers, signal, agent: HTTP });
  request.once('socket', (socket) => {
    if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', connected);
    else connected();
  });
  request.once('response', resolve).once('error', reject);
  request.end(body ?? undefined);
  return promise;
}

/** The text of a response. If it is too long, returns '' and closes the connection. */
async function textOf(response: IncomingMessage, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response) {
    bytes += part.length;
    // Leaving the loop destroys the response.
    if (bytes > maxBytes) return '';
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** A message's outcome. `accepted` returns null for a body without a message ID. */
export function outcomeOf(
  result: CallResult,
  read: {
    accepted(body: unknown): { messageId: string; userId: string | null } | null;
    code(body: unknown): string | null;
  },
): SendOutcome {
  if (result.kind !== 'response') return result;
  const { status, body, retryAfterMs } = result;
  // With these statuses, a gateway may have lost the provider's response, so the message may have been sent.
  if (LOST_RESPONSES.has(status)) return { kind: 'unknown', why: `http ${status}` };
  if (status >= 500) return { kind: 'rejected', code: `http ${status}`, retryAfterMs };
  if (status < 200 || status >= 300)
    return { kind: 'rejected', code: read.code(body) ?? `http ${status}`, retryAfterMs };
  const accepted = read.accepted(body);
  if (accepted === null) return { kind: 'unknown', why: 'unreadable response' };
  return { kind: 'accepted', ...accepted, isDelivered: false };
}

/** Request timeout, bad gateway, gateway timeout. */
const LOST_RESPONSES: ReadonlySet<number> = new Set([408, 502, 504]);

/** A `Retry-After` header, in seconds or as a date, converted to milliseconds. */
function waitOf(header: string | null): number | null {
  if (header === null) return null;
  const wait = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS);
}

/** The code of an error or of its cause, such as ECONNRESET; without a code, the error's name. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.cause instanceof Error) return codeOf(error.cause);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
