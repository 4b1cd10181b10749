const LONDON = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
});

/** 'Price last seen 3 May, 14:05' in London time from an ISO 8601 instant; null if it is not one. */
export function priceLastSeen(instant: string | null): string | null {
  const ms = instant === null ? Number.NaN : Date.parse(instant);
  if (Number.isNaN(ms)) return null;
  const parts = LONDON.formatToParts(ms);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return `Price last seen ${part('day')} ${part('month')}, ${part('hour')}:${part('minute')}`;
}
