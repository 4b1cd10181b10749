import type { SendOutcome } from './message-provider.ts';

/** The result of a call: a response, no connection (so nothing was sent), or unknown. */
export type CallResult =
  | { kind: 'response'; status: number; body: unknown; retryAfterMs: number | null }
  | { kind: 'not sent' }
  | { kind: 'unknown'; why: string };

/** The request; plain values, because it is sent to another thread. */
export interface CallInit {
  headers: Record<string, string>;
  body: string;
}

/** Errors before the connection is established: the request was not sent. */
const BEFORE_CONNECTION =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|DEPTH_ZERO_\w+|UNABLE_TO_\w+|SELF_SIGNED_\w+|ERR_TLS_CERT\w+)$/;

/** The longest `Retry-After` that is respected. */
const MAX_RETRY_AFTER_MS = 60 * 60 * 1_000;

/** One POST to a provider, aborted at `deadline` (milliseconds since 1970), and not started after it. Never throws. */
export async function callProvider(
  url: string,
  init: CallInit,
  signal: AbortSignal,
  deadline: number,
): Promise<CallResult> {
  const timeoutMs = deadline - Date.now();
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
    return { kind: 'response', status: response.status, body: parsed(text), retryAfterMs };
  } catch (error) {
    const code = codeOf(error);
    if (BEFORE_CONNECTION.test(code)) return { kind: 'not sent' };
    return { kind: 'unknown', why: code };
  }
}

/**
 * The outcome of a message, from the result of its call. Providers differ only in where a body has its ID and its error
 * code. `accepted` returns null for a body without an ID.
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
  // The server failed or timed out while it processed the request, so it may have sent the message.
  if (status >= 500 || status === 408) return { kind: 'unknown', why: `http ${status}` };
  if (status < 200 || status >= 300)
    return { kind: 'rejected', code: read.code(body) ?? `http ${status}`, retryAfterMs };
  const accepted = read.accepted(body);
  if (accepted === null) return { kind: 'unknown', why: 'unreadable response' };
  return { kind: 'accepted', ...accepted, isDelivered: false };
}

/** A `Retry-After` header, seconds or a date, in milliseconds. */
function waitOf(header: string | null): number | null {
  if (header === null) return null;
  const wait = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The code of an error or of its cause, such as ECONNRESET, or else its name. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.cause instanceof Error) return codeOf(error.cause);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
