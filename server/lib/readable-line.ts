const LEVELS: Readonly<Record<number, string>> = { 30: 'INFO ', 40: 'WARN ', 50: 'ERROR' };

/** A log's JSON line as text for a terminal: time (UTC), level, message, other fields, an error's stack. */
export function readableLine(json: string): string {
  const { level, time, msg, err, ...fields }: Record<string, unknown> = JSON.parse(json);
  const clock = new Date(Number(time)).toISOString().slice(11, 19);
  const words = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`);
  const text = [clock, LEVELS[Number(level)] ?? String(level), msg, ...words].filter(Boolean).join(' ');
  const stack = typeof err === 'object' && err !== null && 'stack' in err ? `${String(err.stack)}\n` : '';
  // A path may contain a terminal's control characters.
  return `${text.replaceAll(/\p{Cc}/gu, ' ')}\n${stack}`;
}
