// Health check of the container: exits with 0 if the server answers on its PORT.
const answer = await fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`, {
  signal: AbortSignal.timeout(4_000),
}).catch(() => null);
process.exit(answer?.ok ? 0 : 1);
