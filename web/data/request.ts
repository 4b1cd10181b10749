/** Shown if a service cannot be reached. */
export const UNREACHABLE_MESSAGE =
  'We couldn’t reach the search service. Check your connection, then search again.';

/** A request that failed. Its message is for visitors. */
export class RequestError extends Error {
  /** The status of the response; null if the service sent none. */
  readonly status: number | null;

  constructor(message: string, status: number | null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** Whether the service was not reached, or a proxy answered in its place. Data kept on this device may do instead. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof RequestError && (error.status === null || isGatewayStatus(error.status));
}

const isGatewayStatus = (status: number) => status === 502 || status === 503 || status === 504;

/** If the server names no time, and the longest time that a visitor should wait for an answer. */
const RETRY_AFTER_MS = 1_000;
const MAX_RETRY_AFTER_MS = 10_000;

/**
 * Fetches with a deadline, and repeats the request once after a 429 or 503, as `Retry-After` says. Throws a RequestError if
 * no response arrives in time, or a page of HTML, which only proxies and portals send. A 404 may be HTML.
 */
export async function request(
  url: string,
  init: RequestInit,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<Response> {
  const send = async () => {
    const response = await fetch(url, { ...init, signal: withTimeout(signal, timeoutMs) });
    if (isHtml(response) && response.status !== 404) throw new Error(`${url} answered with a page of HTML`);
    return response;
  };
  try {
    const response = await send();
    const waitMs = response.status === 429 || response.status === 503 ? retryAfterMs(response) : null;
    if (waitMs === null || waitMs > MAX_RETRY_AFTER_MS) return response;
    await pause(waitMs, signal);
    return await send();
  } catch (cause) {
    throw new RequestError(UNREACHABLE_MESSAGE, null, { cause });
  }
}

/** Frees the connection of a beacon if the endpoint does not respond in this time. */
const BEACON_TIMEOUT_MS = 10_000;

/** Posts a message without cookies, even while the page unloads, and ignores failures. */
export function sendBeacon(endpoint: string, message: object): void {
  fetch(endpoint, {
    method: 'POST',
    keepalive: true,
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(BEACON_TIMEOUT_MS),
  }).catch(() => {});
}

/** The body in one line, for a message; '' for HTML. */
export async function textOf(response: Response): Promise<string> {
  return isHtml(response) ? '' : (await response.text()).replaceAll(/\s+/g, ' ').trim().slice(0, 300);
}

function isHtml(response: Response): boolean {
  return /^(text\/html|application\/xhtml)/.test(response.headers.get('content-type') ?? '');
}

function retryAfterMs(response: Response): number {
  const header = response.headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? RETRY_AFTER_MS : Math.max(0, ms);
}

/** Rejects with the signal's reason if it is aborted before the time is over. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

/** A signal that aborts with `signal` or after a time. `AbortSignal.any` is newer than the oldest browsers we support. */
function withTimeout(signal: AbortSignal, timeoutMs: number): AbortSignal {
  const abort = new AbortController();
  for (const source of [signal, AbortSignal.timeout(timeoutMs)]) {
    if (source.aborted) abort.abort(source.reason);
    source.addEventListener('abort', () => abort.abort(source.reason), { once: true });
  }
  return abort.signal;
}
