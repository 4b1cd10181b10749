import type { SendOutcome } from './message-provider.ts';

/** What came of a call: an answer, no connection at all (so nothing was sent), or nobody knows. */
export type CallResult =
  | { kind: 'answer'; status: number; body: unknown; retryAfterMs: number | null }
  | { kind: 'not sent' }
  | { kind: 'unknown'; why: string };

/** What is posted; plain values, for it crosses to the thread that calls. */
export interface CallInit {
  headers: Record<string, string>;
  body: string;
}

/** Failures from before a connection stood: the request cannot have been read. */
const BEFORE_CONNECTION =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|DEPTH_ZERO_\w+|UNABLE_TO_\w+|SELF_SIGNED_\w+|ERR_TLS_CERT\w+)$/;

/** Nobody is waited for longer, whatever a header says. */
const LONGEST_WAIT_MS = 60 * 60 * 1_000;

/**
 * One POST to a provider, given up at `giveUpAt`, in milliseconds since 1970: nobody waits for it longer, so it is not
 * begun where that is over. Never throws.
 */
export async function callProvider(
  url: string,
  init: CallInit,
  signal: AbortSignal,
  giveUpAt: number,
): Promise<CallResult> {
  const timeoutMs = giveUpAt - Date.now();
  if (timeoutMs <= 0) return { kind: 'not sent' };
  try {
    const response = await fetch(url, {
      ...init,
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await response.text();
    const retryAfterMs = waitOf(response.headers.get('retry-after'));
    return { kind: 'answer', status: response.status, body: parsed(text), retryAfterMs };
  } catch (error) {
    const code = codeOf(error);
    if (BEFORE_CONNECTION.test(code)) return { kind: 'not sent' };
    return { kind: 'unknown', why: code };
  }
}

/**
 * What an answer means for a message: the same with every provider, but for where its id and its error code
 * stand. `accepted` gives null for a body that has no id.
 */
export function outcomeOf(
  result: CallResult,
  read: {
    accepted(body: unknown): { messageId: string; userId: string | null } | null;
    code(body: unknown): string | null;
  },
): SendOutcome {
  if (result.kind === 'unknown') return result;
  if (result.kind === 'not sent') return { kind: 'rejected', code: 'no connection', retryAfterMs: null };
  const { status, body, retryAfterMs } = result;
  // The server failed, or gave up waiting, while at it: what it had done by then is open.
  if (status >= 500 || status === 408) return { kind: 'unknown', why: `http ${status}` };
  if (status < 200 || status >= 300)
    return { kind: 'rejected', code: read.code(body) ?? `http ${status}`, retryAfterMs };
  const accepted = read.accepted(body);
  if (accepted === null) return { kind: 'unknown', why: 'an answer that cannot be read' };
  return { kind: 'accepted', ...accepted, isDelivered: false };
}

/** What a `Retry-After` header asks for, in milliseconds: it gives seconds, or a date. */
function waitOf(header: string | null): number | null {
  if (header === null) return null;
  const wait = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), LONGEST_WAIT_MS);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The code of an error or of what caused it, such as ECONNRESET; the name where there is none. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.cause instanceof Error) return codeOf(error.cause);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
