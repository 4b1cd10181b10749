import {
  NO_END,
  pauseSending,
  releaseTemplate,
  resumeSending,
  templateHolds,
} from '../../alerts/delivery/pauses.ts';
import { alertMetrics } from '../../alerts/status/alert-metrics.ts';
import { alertReport } from '../../alerts/status/alert-report.ts';
import { describeAlerts } from '../../alerts/status/describe-alerts.ts';
import { noticesAfter } from '../../alerts/tables/notices.ts';
import { ALERT_CONDITIONS, conditionLines } from '../../conditions/store-conditions.ts';
import { type Operation, wholeOption } from './operation.ts';

const MAX_NOTICES = 20;

export async function showStatus({ store, options, now, print }: Operation) {
  const metrics = await alertMetrics(store, now);
  const notices = (await noticesAfter(store, 0)).slice(-MAX_NOTICES);
  if (options.json) return print(JSON.stringify({ ...metrics, notices }, null, 2));
  print(describeAlerts(metrics, notices, now));
  const sources = { now, providers: null, feedLateMs: 0 };
  for (const line of await conditionLines(store.database, sources, ALERT_CONDITIONS)) print(line);
}

export async function showReport({ store, config, options, print }: Operation) {
  const report = await alertReport(store, config.sending);
  if (options.json) return print(JSON.stringify(report, null, 2));
  print('Messages');
  for (const { template, state, error, count } of report.messages)
    print(`  ${template.padEnd(9)}${state.padEnd(11)}${String(count).padStart(8)}  ${error ?? ''}`);
  print(`Cost by day, at ${config.sending.pencePerMessage}p per message`);
  for (const { day, sent, pence } of report.days)
    print(`  ${day}${String(sent).padStart(8)}  £${(pence / 100).toFixed(2)}`);
  for (const template of report.marketingTemplates)
    print(
      `The provider bills the template '${template}' as marketing, at ${config.sending.pencePerMarketing}p. Ask Meta to review its category, or change its text.`,
    );
  const { optIn, read, stop } = report.rates;
  print(`Replied YES ${percent(optIn)}, drops read ${percent(read)}, stopped ${percent(stop)}`);
}

/** `pause`: sends nothing until `resume`, or for `--minutes`. */
export async function pause({ store, options, now, print, fail }: Operation) {
  const minutes = options.minutes === null ? null : wholeOption(options.minutes);
  if (options.minutes !== null && minutes === null) return fail('--minutes must be a whole number.');
  const until = minutes === null ? NO_END : now + minutes * 60_000;
  await store.transact((tx) => pauseSending(tx, until));
  print(
    `Nothing is sent ${minutes === null ? 'until `resume`' : `before ${new Date(until).toISOString()}`}. STOP and sign-ups work.`,
  );
}

/** `resume`: ends every pause, or releases one template. */
export async function resume({ store, words, now, print, fail }: Operation) {
  const [template] = words;
  if (template !== undefined) {
    const isReleased = await store.transact((tx) => releaseTemplate(tx, template, now));
    return isReleased
      ? print(`The messages of '${template}' are due now.`)
      : fail(`The template '${template}' is not held.`);
  }
  const held = (await templateHolds(store)).map(({ template: name }) => name);
  await store.transact(async (tx) => {
    await pauseSending(tx, null);
    await resumeSending(tx, now);
    for (const name of held) await releaseTemplate(tx, name, now);
  });
  print('Sending resumes. One message goes out now; if the provider accepts it, the others follow.');
}

function percent(share: number | null): string {
  return share === null ? '-' : `${(share * 100).toFixed(1)}%`;
}
