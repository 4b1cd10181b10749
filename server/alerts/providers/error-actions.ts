import type { MessageProvider } from './message-provider.ts';

/** What a refused or failed message means. */
export type ErrorAction =
  /** This message will never arrive. */
  | 'final'
  /** The same, and something of ours is wrong: raised to the operator. */
  | 'final, raise'
  /** Only a template may be sent now. */
  | 'as template'
  /** Again, after widening delays. */
  | 'later'
  /** The person does not want to be written to. */
  | 'stop'
  | 'slow down'
  | 'slow down to this number'
  /** Nothing is sent to anybody for a while: raised. */
  | 'pause'
  /** The account or its token does not work: nothing is sent until a try succeeds, raised. */
  | 'open circuit';

/** Meta's codes, by what its documentation says of them. Twilio and Bird hand many of them through. */
const META: Readonly<Record<string, ErrorAction>> = {
  // Undeliverable: not on WhatsApp, an old version, terms not accepted.
  131026: 'final',
  // More than a day since the person's last message.
  131047: 'as template',
  // Not delivered to keep the person from too many messages.
  131049: 'later',
  // The person has stopped marketing messages.
  131050: 'stop',
  // Throughput, pair, and application limits.
  130429: 'slow down',
  80007: 'slow down',
  4: 'slow down',
  131056: 'slow down to this number',
  // Too many earlier messages were blocked or reported.
  131048: 'pause',
  // Token, permission, account.
  0: 'open circuit',
  3: 'open circuit',
  10: 'open circuit',
  33: 'open circuit',
  190: 'open circuit',
  368: 'open circuit',
  130497: 'open circuit',
  131005: 'open circuit',
  131031: 'open circuit',
  131037: 'open circuit',
  131042: 'open circuit',
  131045: 'open circuit',
  131057: 'open circuit',
  133010: 'open circuit',
  // Passing trouble of the service.
  1: 'later',
  2: 'later',
  131000: 'later',
  131016: 'later',
  // The recipient is the sender, or in an experiment.
  131021: 'final',
  130472: 'final',
  // The request, or the template, is wrong.
  100: 'final, raise',
  131008: 'final, raise',
  131009: 'final, raise',
  131051: 'final, raise',
  132000: 'final, raise',
  132001: 'final, raise',
  132005: 'final, raise',
  132007: 'final, raise',
  132012: 'final, raise',
  132015: 'final, raise',
  132016: 'final, raise',
};

const TWILIO: Readonly<Record<string, ErrorAction>> = {
  20003: 'open circuit',
  20005: 'open circuit',
  20429: 'slow down',
  14107: 'slow down',
  21211: 'final',
  21610: 'stop',
  63003: 'final',
  63015: 'final',
  63016: 'as template',
  63018: 'slow down',
  63024: 'final',
  63032: 'final',
  63033: 'stop',
  63049: 'later',
  63051: 'open circuit',
};

/** By status, where the body gives no code. */
const HTTP: Readonly<Record<string, ErrorAction>> = {
  'http 401': 'open circuit',
  'http 402': 'open circuit',
  'http 403': 'open circuit',
  // Nothing that takes messages is at that address.
  'http 301': 'open circuit',
  'http 302': 'open circuit',
  'http 307': 'open circuit',
  'http 308': 'open circuit',
  'http 404': 'open circuit',
  'http 405': 'open circuit',
  'http 429': 'slow down',
  // The call never left: no address, no connection, no trust.
  'no connection': 'slow down',
};

const CODES: Readonly<Record<MessageProvider['name'], Readonly<Record<string, ErrorAction>>>> = {
  local: {},
  meta: META,
  twilio: { ...META, ...TWILIO },
  bird: META,
};

/** What to do about a provider's error code; one that is not known is final, and raised. */
export function actionFor(provider: MessageProvider['name'], code: string): ErrorAction {
  const known = CODES[provider];
  // The permissions that a token may lack have a hundred codes.
  if (/^2\d\d$/.test(code)) return 'open circuit';
  if (Object.hasOwn(known, code)) return known[code] ?? 'final, raise';
  return Object.hasOwn(HTTP, code) ? (HTTP[code] ?? 'final, raise') : 'final, raise';
}
