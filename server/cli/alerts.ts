import { parseArgs } from 'node:util';
import { parseAlertsConfig } from '../alerts/alerts-config.ts';
import { alertKeys, readAlertSecret } from '../alerts/keys/alert-keys.ts';
import { openProviders } from '../alerts/open-providers.ts';
import { openAlertStore } from '../alerts/tables/alert-store.ts';
import { parseConfig } from '../config.ts';
import { alertClock } from '../environment/clock.ts';
import { ALERT_COMMANDS, USAGE } from './alerts/alert-commands.ts';
import { ALERT_OPTIONS, type Operation } from './alerts/operation.ts';
import { fail } from './command-output.ts';
import { runAsOwner } from './run-as-owner.ts';

// npm run alerts -- --help
function readWords() {
  try {
    return parseArgs({ options: ALERT_OPTIONS, allowPositionals: true });
  } catch (error) {
    fail(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return null;
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
  if (config.kind === 'refused') return fail(config.message);
  if (alerts.kind === 'refused') return fail(alerts.message);
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
      fail,
    });
  } finally {
    await Promise.all([provider, ...others].map((one) => one.close()));
    store.close();
  }
}
