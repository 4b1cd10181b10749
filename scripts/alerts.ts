import { alertKeys, alertSecret } from '../server/alerts/alert-keys.ts';
import { alertMetrics } from '../server/alerts/alert-metrics.ts';
import { type AlertStore, openAlertStore } from '../server/alerts/alert-store.ts';
import { parseAlertsConfig } from '../server/alerts/alerts-config.ts';
import { eraseNumber } from '../server/alerts/erase-number.ts';
import { noticesAfter } from '../server/alerts/notices.ts';
import { parseConfig } from '../server/config.ts';

const USAGE = `npm run alerts -- status          how the price alerts are
npm run alerts -- erase <number>  erases everything about a number`;

const [command, ...words] = process.argv.slice(2);
if (command === 'status' && words.length === 0) withStore(showStatus);
else if (command === 'erase' && words.length > 0) withStore((store) => erase(store, words.join(' ')));
else fail(USAGE);

/** Opens the store that the settings name, as the server does; both may run at once. */
function withStore(work: (store: AlertStore) => void): void {
  const config = parseConfig(process.env);
  const alerts = parseAlertsConfig(process.env);
  if (config.kind === 'refused') fail(config.message);
  else if (alerts.kind === 'refused') fail(alerts.message);
  else openAndWork(config.config.dataDir, alerts.config.secret, work);
}

function openAndWork(dataDir: string, secret: Uint8Array | null, work: (store: AlertStore) => void): void {
  const store = openAlertStore(dataDir, alertKeys(alertSecret(secret, dataDir)));
  try {
    work(store);
  } finally {
    store.close();
  }
}

function showStatus(store: AlertStore): void {
  const notices = noticesAfter(store, 0).slice(-20);
  console.log(JSON.stringify({ ...alertMetrics(store, Date.now()), notices }, null, 2));
}

function erase(store: AlertStore, number: string): void {
  const erasure = eraseNumber(store, number);
  switch (erasure.kind) {
    case 'erased':
      console.log(`Erased, with ${erasure.watches} watches and ${erasure.messages} messages.`);
      break;
    case 'unknown':
      console.log('Nothing is known of this number.');
      break;
    case 'invalid':
      fail('This is not a UK phone number.');
  }
}

function fail(words: string): void {
  console.error(words);
  process.exitCode = 1;
}
