import { parseAlertsConfig } from '../alerts/alerts-config.ts';
import { alertKeys, readAlertSecret } from '../alerts/keys/alert-keys.ts';
import { openAlertStore } from '../alerts/tables/alert-store.ts';
import { parseConfig } from '../config.ts';
import { alertClock } from '../environment/clock.ts';
import { commandLine, installedUsage } from '../lib/command-line.ts';
import { ALERT_COMMANDS, USAGE } from './alerts/alert-commands.ts';
import { ALERT_OPTIONS, type Operation } from './alerts/operation.ts';
import { fail } from './command-output.ts';
import { loadInstalledSettings, requireStore } from './command-store.ts';

const { options, words } = commandLine(USAGE, { options: ALERT_OPTIONS, maxWords: 10 });
const [name = '', ...rest] = words;
const command = Object.hasOwn(ALERT_COMMANDS, name) ? ALERT_COMMANDS[name] : undefined;
if (command === undefined) fail(installedUsage(USAGE));
else {
  const surplus = [
    ...Object.entries(ALERT_OPTIONS)
      .filter(([option, byDefault]) => options[option as keyof typeof options] !== byDefault)
      .map(([option]) => `--${option}`)
      .filter((option) => !command.usage.includes(option)),
    ...rest.slice(command.maxWords ?? rest.length),
  ];
  if (surplus.length > 0) fail(`${name} does not take ${surplus.join(' ')}.\n\n${installedUsage(USAGE)}`);
  else if ('runAlone' in command) command.runAlone((line) => console.log(line));
  else await withStore(command.run);
}

/** Opens the store, which a server may have open too. */
async function withStore(run: (operation: Operation) => Promise<void> | void): Promise<void> {
  loadInstalledSettings();
  const config = parseConfig(process.env);
  const alerts = parseAlertsConfig(process.env);
  if (config.kind === 'refused') return fail(config.message);
  if (alerts.kind === 'refused') return fail(alerts.message);
  const address = config.config.store;
  if (!(await requireStore(address))) return;
  const readSecret = (mayCreate: boolean) => readAlertSecret(alerts.config.secret, address, mayCreate);
  const store = await openAlertStore(address, (mayCreate) => alertKeys(readSecret(mayCreate)), {
    patient: true,
  });
  try {
    await run({
      store,
      config: alerts.config,
      address,
      secret: readSecret(false),
      words: rest,
      options,
      now: alertClock(),
      print: (line) => console.log(line),
      fail,
    });
  } finally {
    await store.close();
  }
}
