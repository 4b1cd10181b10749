import './closed-output.ts';
import { parseArgs } from 'node:util';
import { parseAlertsConfig } from '../alerts/alerts-config.ts';
import { alertKeys, readAlertSecret } from '../alerts/keys/alert-keys.ts';
import { openProviders } from '../alerts/open-providers.ts';
import { openAlertStore } from '../alerts/tables/alert-store.ts';
import { parseConfig } from '../config.ts';
import { alertClock } from '../environment/clock.ts';
import { ALERT_COMMANDS, USAGE } from './alerts/alert-commands.ts';
import type { Operation } from './alerts/operation.ts';
import { runAsOwner } from './run-as-owner.ts';

// npm run alerts -- --help
const OPTIONS = {
  json: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  state: { type: 'string' },
  template: { type: 'string' },
  error: { type: 'string' },
  after: { type: 'string', default: '0' },
  limit: { type: 'string', default: '50' },
  minutes: { type: 'string' },
  to: { type: 'string' },
  why: { type: 'string' },
  who: { type: 'string' },
  conclude: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

function readWords() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: true });
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

const given = readWords();
const [name = '', ...words] = given?.positionals ?? [];
const command = Object.hasOwn(ALERT_COMMANDS, name) ? ALERT_COMMANDS[name] : undefined;
if (given?.values.help) console.log(USAGE);
else if (given !== null && command === undefined) fail(USAGE);
else if (given !== null && command !== undefined) await withStore(command.run);

/** Opens the store, which a server may have open too. */
async function withStore(run: (operation: Operation) => Promise<void> | void): Promise<void> {
  const config = parseConfig(process.env);
  const alerts = parseAlertsConfig(process.env);
  if (config.kind === 'refused') return void fail(config.message);
  if (alerts.kind === 'refused') return void fail(alerts.message);
  const address = config.config.store;
  runAsOwner(address);
  const readSecret = (mayCreate: boolean) => readAlertSecret(alerts.config.secret, address, mayCreate);
  const store = openAlertStore(address, (mayCreate) => alertKeys(readSecret(mayCreate)), { patient: true });
  const { brandName } = config.config;
  const { provider, others } = openProviders(alerts.config, { address, brandName, keys: store.keys });
  try {
    await run({
      store,
      provider,
      providerOf: (channel) => [provider, ...others].find((one) => one.channel === channel) ?? null,
      config: alerts.config,
      brandName,
      address,
      secret: readSecret(false),
      words,
      options: given?.values ?? {},
      now: alertClock(),
      print: (line) => console.log(line),
      fail: (line) => void fail(line),
    });
  } finally {
    await Promise.all([provider, ...others].map((one) => one.close()));
    store.close();
  }
}

function fail(text: string): null {
  console.error(text);
  process.exitCode = 1;
  return null;
}
