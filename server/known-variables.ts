import { editDistance, maxEdits } from '../domain/edit-distance.ts';
import { ALERT_VARIABLES } from './alerts/alerts-config.ts';
import { PROVIDER_VARIABLES } from './alerts/providers/provider-setting.ts';
import { CONFIG_VARIABLES } from './config.ts';
import { SECRETS, type Variables } from './environment/read-environment.ts';
import { FEED_VARIABLES } from './feed/feed-setting.ts';

/** Every variable of the environment that Skylark reads, as its schemas name them. */
export const KNOWN_VARIABLES: readonly string[] = [
  ...new Set([...CONFIG_VARIABLES, ...FEED_VARIABLES, ...ALERT_VARIABLES, ...PROVIDER_VARIABLES]),
];

/** Beginnings that no other program's variables are likely to have. */
const OURS =
  /^(ALERTS?|BRAND|DATABASE|SEARCH|SAMPLE|METRICS|PRICE_ANALYSIS|WHATSAPP|CONVERSATION|SKYLARK|FEED)_/;

/**
 * A sentence for each variable that is set and that nobody reads, though it looks like one of ours: a slip of
 * typing would otherwise leave a default standing in silence. Values are not told.
 */
export function unreadVariables(variables: Variables): string[] {
  const known = new Set(
    KNOWN_VARIABLES.flatMap((name) => (SECRETS.has(name) ? [name, `${name}_FILE`] : [name])),
  );
  const set = Object.keys(variables).filter((name) => variables[name] && !known.has(name));
  return set.flatMap((name) => {
    const meant = nearest(name, [...known]);
    if (meant !== null) return [`${name} is set, and nothing reads it: is ${meant} meant?`];
    const plain = name.replace(/_FILE$/, '');
    if (plain !== name && known.has(plain)) {
      return [`${name} is set, and nothing reads it: only secrets are given as files, and ${plain} is none.`];
    }
    return OURS.test(name)
      ? [`${name} is set, and nothing reads it: docs/configuration.md has every name.`]
      : [];
  });
}

/** The known name that a few slips of typing turn into `name`; null where there is none. */
function nearest(name: string, known: readonly string[]): string | null {
  const most = maxEdits(name);
  const slips = editDistance(name, most);
  const near = known
    .filter((other) => Math.abs(other.length - name.length) <= most)
    .map((other) => ({ other, slips: slips(other) }))
    .filter((one) => one.slips <= most)
    .toSorted((one, two) => one.slips - two.slips);
  return near[0]?.other ?? null;
}
