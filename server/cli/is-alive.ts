// The container's health check: exits with 0 if the server on PORT responds.
const response = await fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`, {
  signal: AbortSignal.timeout(4_000),
}).catch(() => null);
process.exit(response?.ok ? 0 : 1);
