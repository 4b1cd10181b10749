import { londonClock } from '../../../domain/london-time.ts';
import { installedCommand } from '../../lib/installed-command.ts';
import { NO_END } from '../delivery/pauses.ts';
import type { Notice } from '../tables/notices.ts';
import type { AlertMetrics } from './alert-metrics.ts';

export function describeAlerts(metrics: AlertMetrics, notices: readonly Notice[], now: number): string {
  const { watches, messages, failedByCode, unknown, sending, channels } = metrics;
  const count = (counts: Readonly<Record<string, number>>, name: string) => counts[name] ?? 0;
  const failures = Object.entries(failedByCode).map(([code, times]) => `${code} (${times})`);
  const rows: [string, string][] = [
    [
      'Watches',
      `${count(watches, 'active')} active, ${count(watches, 'asked')} waiting for YES, ${count(watches, 'ended')} ended; of ${plural(metrics.people, 'number')}`,
    ],
    ['Queue', queueWords(metrics)],
    ['Sent', `${metrics.sent}, of which ${metrics.delivered} delivered, ${count(messages, 'read')} read`],
    ['Failed', `${count(messages, 'failed')}${failures.length === 0 ? '' : `: ${failures.join(', ')}`}`],
    ['Not sent', `${count(messages, 'dropped')}: dropped because of a stop, a price rise or their age`],
    [
      'Unknown',
      `${count(messages, 'unknown')}${unknown.length === 0 ? '' : `: sent again only by \`${installedCommand('alerts', 'send-again')}\``}`,
    ],
    ...unknown.map(({ message, since, why }): [string, string] => [
      '',
      `message ${message}, ${clock(since)}: ${why}`,
    ]),
    ['Stops', `${metrics.stops} on the suppression list`],
    ['Sending', sendingWords(sending)],
    ...channels.map((one): [string, string] => ['', channelWords(one)]),
    ...metrics.heldTemplates.map(({ template, until, reason }): [string, string] => [
      'Held',
      `template ${template} (${reason}), next try at ${clock(until)}. To retry now: ${installedCommand('alerts', `resume ${template}`)}`,
    ]),
    ['Notices', notices.length === 0 ? 'none' : `the last ${notices.length}`],
    ...notices.map(({ at, text }): [string, string] => ['', `${clock(at)}  ${text}`]),
  ];
  return [`Price alerts, ${clock(now)}`, ...rows.map(([name, words]) => `${name.padEnd(10)}${words}`)].join(
    '\n',
  );
}

function queueWords({ messages, due, oldestDueSeconds }: AlertMetrics): string {
  const waiting = messages.queued ?? 0;
  const late = due === 0 ? 'none due' : `${due} due, the oldest for ${plural(oldestDueSeconds, 'second')}`;
  return `${waiting} waiting, ${late}; ${messages.sending ?? 0} being sent`;
}

function channelWords({ channel, messages, sending }: AlertMetrics['channels'][number]): string {
  const counted = Object.entries(messages).map(([state, count]) => `${count} ${state}`);
  return `by ${channel}: ${sendingWords(sending)}; ${counted.length === 0 ? 'no messages' : counted.join(', ')}`;
}

function sendingWords({ isPaused, until, reason }: AlertMetrics['sending']): string {
  if (!isPaused || until === null) return 'on';
  if (until === NO_END) return `paused by an operator. To resume: ${installedCommand('alerts', 'resume')}`;
  return `paused until ${clock(until)}: ${reason ?? 'unknown reason'}. To retry now: ${installedCommand('alerts', 'resume')}`;
}

function clock(at: number): string {
  const { day, minute } = londonClock(at);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${day} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
