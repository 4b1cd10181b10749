import { todayInLondon } from '../../domain/calendar-date.ts';
import { formatPlainDate } from '../../domain/day-words.ts';
import { deviceSkewMs } from '../ui/device-clock.ts';

/** Says that the device's clock is wrong by days; null if it is not. */
export function wrongClockNote(): string | null {
  if (deviceSkewMs === 0) return null;
  const [device, server] = [0, deviceSkewMs].map((ms) => formatPlainDate(todayInLondon(Date.now() + ms)));
  return `Your device says it’s ${device}, but it’s ${server}. Correct its date, then search again.`;
}
