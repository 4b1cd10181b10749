/** A signal that aborts with `signal` or after a time. `AbortSignal.any` is newer than the oldest browsers we support. */
export function withTimeout(signal: AbortSignal, timeoutMs: number): AbortSignal {
  const abort = new AbortController();
  for (const source of [signal, AbortSignal.timeout(timeoutMs)]) {
    if (source.aborted) abort.abort(source.reason);
    source.addEventListener('abort', () => abort.abort(source.reason), { once: true });
  }
  return abort.signal;
}
