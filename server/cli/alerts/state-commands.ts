import { randomBytes } from 'node:crypto';
import { NO_END, pauseSending, resumeSending } from '../../alerts/delivery/circuit.ts';
import { releaseTemplate, templateHolds } from '../../alerts/delivery/template-holds.ts';
import { alertMetrics } from '../../alerts/status/alert-metrics.ts';
import { alertReport } from '../../alerts/status/alert-report.ts';
import { describeAlerts } from '../../alerts/status/describe-alerts.ts';
import { noticesAfter } from '../../alerts/tables/notices.ts';
import { type Operation, wholeOption } from './operation.ts';

const MAX_NOTICES = 20;

export function showStatus({ store, options, now, print }: Operation) {
  const metrics = alertMetrics(store, now);
  const notices = noticesAfter(store, 0).slice(-MAX_NOTICES);
  print(
    options.json ? JSON.stringify({ ...metrics, notices }, null, 2) : describeAlerts(metrics, notices, now),
  );
}

export function showReport({ store, config, options, print }: Operation) {
  const report = alertReport(store, config.sending.pencePerMessage);
  if (options.json) return print(JSON.stringify(report, null, 2));
  print('Messages');
  for (const { template, state, error, count } of report.messages)
    print(`  ${template.padEnd(9)}${state.padEnd(11)}${String(count).padStart(8)}  ${error ?? ''}`);
  print(`Cost by day, at ${config.sending.pencePerMessage}p per message`);
  for (const { day, sent, pence } of report.days)
    print(`  ${day}${String(sent).padStart(8)}  £${(pence / 100).toFixed(2)}`);
  const { optIn, read, click, stop } = report.rates;
  print(
    `Replied YES ${percent(optIn)}, drops read ${percent(read)}, their links opened ${percent(click)}, stopped ${percent(stop)}`,
  );
}

/** `pause`: sends nothing until `resume`, or for `--minutes`. */
export function pause({ store, options, now, print, fail }: Operation) {
  const minutes = options.minutes === undefined ? null : wholeOption(options.minutes);
  if (options.minutes !== undefined && minutes === null) return fail('--minutes must be a whole number.');
  const until = minutes === null ? NO_END : now + minutes * 60_000;
  store.transact(() => pauseSending(store, until));
  print(
    `Nothing is sent ${minutes === null ? 'until `resume`' : `before ${new Date(until).toISOString()}`}. STOP and sign-ups work.`,
  );
}

/** `resume`: ends every pause, or releases one template. */
export function resume({ store, words, now, print, fail }: Operation) {
  const [template] = words;
  if (template !== undefined) {
    const isReleased = store.transact(() => releaseTemplate(store, template, now));
    return isReleased
      ? print(`The messages of '${template}' are due now.`)
      : fail(`The template '${template}' is not held.`);
  }
  const held = templateHolds(store).map(({ template: name }) => name);
  store.transact(() => {
    pauseSending(store, null);
    resumeSending(store, now);
    for (const name of held) releaseTemplate(store, name, now);
  });
  print('Sending resumes. One message goes out now; if the provider accepts it, the others follow.');
}

/** `vapid-key`: a new key for push services. Subscriptions made with another key stop working. */
export function printVapidKey({ print }: Operation) {
  print(randomBytes(32).toString('base64url'));
}

function percent(share: number | null): string {
  return share === null ? '-' : `${(share * 100).toFixed(1)}%`;
}
