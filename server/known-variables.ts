import { editDistance, maxEdits } from '../domain/edit-distance.ts';
import { ALERT_SECRETS, ALERT_VARIABLES } from './alerts/alerts-config.ts';
import { CHANNEL_SECRETS, CHANNEL_VARIABLES } from './alerts/channel-settings.ts';
import { MESSAGE_PROVIDER_SECRETS, MESSAGE_PROVIDER_VARIABLES } from './alerts/providers/providers.ts';
import { CONFIG_SECRETS, CONFIG_VARIABLES } from './config.ts';
import { CLOCK_VARIABLES } from './environment/clock.ts';
import type { Variables } from './environment/read-environment.ts';
import { FEED_VARIABLES } from './feed/feed-settings.ts';

/** Every environment variable that Skylark reads, as its settings declare them. */
export const KNOWN_VARIABLES: readonly string[] = [
  ...new Set([
    ...CONFIG_VARIABLES,
    ...FEED_VARIABLES,
    ...CLOCK_VARIABLES,
    ...ALERT_VARIABLES,
    ...CHANNEL_VARIABLES,
    ...MESSAGE_PROVIDER_VARIABLES,
  ]),
];

/** Those that hold secrets: each may also be given as a file, in the variable with `_FILE` appended. */
export const SECRETS: ReadonlySet<string> = new Set([
  ...CONFIG_SECRETS,
  ...ALERT_SECRETS,
  ...CHANNEL_SECRETS,
  ...MESSAGE_PROVIDER_SECRETS,
]);

/** Prefixes that variables of other programs are unlikely to have. */
const OWN_PREFIX =
  /^(ALERTS?|BRAND|DATABASE|SEARCH|SAMPLE|METRICS|PRICE_ANALYSIS|WHATSAPP|CONVERSATION|SKYLARK|FEED|SMTP|MAIL|VAPID|PUSH)_/;

/**
 * A sentence for each variable that is set and unknown, but looks like one of Skylark's: a typing error would
 * otherwise leave a default in force unnoticed. Values are not shown.
 */
export function unknownVariableWarnings(variables: Variables): string[] {
  const known = new Set(
    KNOWN_VARIABLES.flatMap((name) => (SECRETS.has(name) ? [name, `${name}_FILE`] : [name])),
  );
  const unknown = Object.keys(variables).filter((name) => variables[name] && !known.has(name));
  return unknown.flatMap((name) => {
    const meant = closestName(name, [...known]);
    if (meant !== null) return [`Unknown variable ${name}. Did you mean ${meant}?`];
    const withoutFile = name.replace(/_FILE$/, '');
    if (withoutFile !== name && known.has(withoutFile)) {
      return [
        `Unknown variable ${name}. Only secrets can be given as files, and ${withoutFile} is not a secret.`,
      ];
    }
    return OWN_PREFIX.test(name)
      ? [`Unknown variable ${name}. docs/configuration.md lists every variable.`]
      : [];
  });
}

/** The known name closest to `name`, if few typing errors separate them; else null. */
function closestName(name: string, known: readonly string[]): string | null {
  const most = maxEdits(name);
  const edits = editDistance(name, most);
  const near = known
    .filter((other) => Math.abs(other.length - name.length) <= most)
    .map((other) => ({ other, edits: edits(other) }))
    .filter((one) => one.edits <= most)
    .toSorted((one, two) => one.edits - two.edits);
  return near[0]?.other ?? null;
}
