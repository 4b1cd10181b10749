import { editDistance, maxEdits } from '../domain/edit-distance.ts';
import { ALERT_SECRETS, ALERT_VARIABLES } from './alerts/alerts-config.ts';
import { CHANNEL_SECRETS, CHANNEL_VARIABLES } from './alerts/channel-settings.ts';
import { MESSAGE_PROVIDER_SECRETS, MESSAGE_PROVIDER_VARIABLES } from './alerts/providers/providers.ts';
import { CONFIG_SECRETS, CONFIG_VARIABLES } from './config.ts';
import { CLOCK_VARIABLES } from './environment/clock.ts';
import type { Variables } from './environment/read-environment.ts';
import { FEED_VARIABLES } from './feed/feed-settings.ts';
import { NOTICE_SECRETS, NOTICE_VARIABLES } from './notices/notice-settings.ts';

/** All environment variables that the settings declare. */
export const KNOWN_VARIABLES: readonly string[] = [
  ...new Set([
    ...CONFIG_VARIABLES,
    ...FEED_VARIABLES,
    ...CLOCK_VARIABLES,
    ...ALERT_VARIABLES,
    ...CHANNEL_VARIABLES,
    ...NOTICE_VARIABLES,
    ...MESSAGE_PROVIDER_VARIABLES,
  ]),
];

/** Variables with secrets. Each may also be in a file, named by the variable with `_FILE` appended. */
export const SECRETS: ReadonlySet<string> = new Set([
  ...CONFIG_SECRETS,
  ...ALERT_SECRETS,
  ...CHANNEL_SECRETS,
  ...NOTICE_SECRETS,
  ...MESSAGE_PROVIDER_SECRETS,
]);

/** Prefixes that other programs are unlikely to use. */
const OWN_PREFIX =
  /^(ALERTS?|BRAND|DATABASE|SEARCH|SAMPLE|METRICS|PRICE_ANALYSIS|WHATSAPP|CONVERSATION|SKYLARK|FEED|SMTP|MAIL|VAPID|PUSH|NOTICE)_/;

/**
 * A warning for each unknown variable that looks like Skylark's, because a misspelled one would silently have
 * no effect. Omits values.
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

/** The known name closest to `name` if that may be a typing error; else null. */
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
