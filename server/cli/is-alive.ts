// Ends with 0 where the server of this machine answers at its PORT: for a container's health check.
const answer = await fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`, {
  signal: AbortSignal.timeout(4_000),
}).catch(() => null);
process.exit(answer?.ok ? 0 : 1);
