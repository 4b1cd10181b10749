import { parseAlertsConfig } from '../alerts/alerts-config.ts';
import { resumeSending } from '../alerts/delivery/circuit.ts';
import { alertKeys, readAlertSecret } from '../alerts/records/alert-keys.ts';
import { type AlertStore, openAlertStore } from '../alerts/records/alert-store.ts';
import { eraseNumber } from '../alerts/records/erase-number.ts';
import { noticesAfter } from '../alerts/records/notices.ts';
import { alertMetrics } from '../alerts/status/alert-metrics.ts';
import { describeAlerts } from '../alerts/status/describe-alerts.ts';
import { parseConfig } from '../config.ts';
import type { StoreAddress } from '../storage/store-address.ts';

const USAGE = `npm run alerts -- status          shows the state of the price alerts
npm run alerts -- status --json   the same as JSON
npm run alerts -- resume          ends a pause: one message is sent at once to test the provider
npm run alerts -- erase <number>  erases everything about a phone number, in any format`;

const MAX_NOTICES = 20;

const [command, ...words] = process.argv.slice(2);
const given = words.join(' ');
if (command === 'status' && given === '') withStore(showStatus);
else if (command === 'status' && given === '--json') withStore(showJson);
else if (command === 'resume' && given === '') withStore(resume);
else if (command === 'erase' && given !== '') withStore((store) => erase(store, given));
else fail(USAGE);

/** Opens the store as the server does. Both may have it open at once. */
function withStore(work: (store: AlertStore) => void): void {
  const config = parseConfig(process.env);
  const alerts = parseAlertsConfig(process.env);
  if (config.kind === 'refused') fail(config.message);
  else if (alerts.kind === 'refused') fail(alerts.message);
  else openAndWork(config.config.store, alerts.config.secret, work);
}

function openAndWork(
  address: StoreAddress,
  secret: Uint8Array | null,
  work: (store: AlertStore) => void,
): void {
  const store = openAlertStore(address, alertKeys(readAlertSecret(secret, address)));
  try {
    work(store);
  } finally {
    store.close();
  }
}

function showStatus(store: AlertStore): void {
  const now = Date.now();
  console.log(describeAlerts(alertMetrics(store, now), noticesAfter(store, 0).slice(-MAX_NOTICES), now));
}

function showJson(store: AlertStore): void {
  const notices = noticesAfter(store, 0).slice(-MAX_NOTICES);
  console.log(JSON.stringify({ ...alertMetrics(store, Date.now()), notices }, null, 2));
}

function resume(store: AlertStore): void {
  store.transact(() => resumeSending(store, Date.now()));
  console.log('The pause is over. One message is sent now; if it is accepted, the others follow.');
}

function erase(store: AlertStore, number: string): void {
  const erasure = eraseNumber(store, number);
  switch (erasure.kind) {
    case 'erased':
      console.log(
        `Erased, with ${plural(erasure.watches, 'watch', 'watches')} and ${plural(erasure.messages, 'message', 'messages')}.`,
      );
      if (!erasure.isOverwritten)
        fail("The store's journal is in use and still contains it, encrypted. Run this again in a minute.");
      break;
    case 'unknown':
      console.log('This number is unknown.');
      break;
    case 'invalid':
      fail('This is not a UK phone number. Write it as 07700 900123 or +44 7700 900123.');
  }
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function fail(words: string): void {
  console.error(words);
  process.exitCode = 1;
}
