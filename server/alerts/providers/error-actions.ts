import type { MessageProvider } from './message-provider.ts';

/** What to do about a rejected or failed message. */
export type ErrorAction =
  /** The message can never be delivered. */
  | 'final'
  /** The same, and the operator is notified: the request or the template is wrong. */
  | 'final, raise'
  /** Send it again as a template: free text is not accepted now. */
  | 'as template'
  /** Retry after increasing delays. */
  | 'later'
  /** The person has stopped messages at the provider. */
  | 'stop'
  | 'slow down'
  | 'slow down to this number'
  /** Pause all sending and notify the operator. */
  | 'pause'
  /** The account or its token does not work: send nothing until a probe succeeds, and notify the operator. */
  | 'open circuit';

/** Meta's codes, as its documentation describes them. Twilio and Bird pass many of them on. */
const META: Readonly<Record<string, ErrorAction>> = {
  // Undeliverable: not on WhatsApp, an old version, terms not accepted.
  131026: 'final',
  // More than a day since the person's last message.
  131047: 'as template',
  // Held back because the person has got too many messages.
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
  // Temporary errors of the service.
  1: 'later',
  2: 'later',
  131000: 'later',
  131016: 'later',
  // The recipient is the sender, or part of an experiment.
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

/** By HTTP status, if the body has no code. */
const HTTP: Readonly<Record<string, ErrorAction>> = {
  'http 401': 'open circuit',
  'http 402': 'open circuit',
  'http 403': 'open circuit',
  // Wrong address.
  'http 301': 'open circuit',
  'http 302': 'open circuit',
  'http 307': 'open circuit',
  'http 308': 'open circuit',
  'http 404': 'open circuit',
  'http 405': 'open circuit',
  'http 429': 'slow down',
  // DNS, connection or certificate error before the request was sent.
  'no connection': 'slow down',
};

const CODES: Readonly<Record<MessageProvider['name'], Readonly<Record<string, ErrorAction>>>> = {
  local: {},
  meta: META,
  twilio: { ...META, ...TWILIO },
  bird: META,
};

/** What to do about a provider's error code. An unknown code is final, and the operator is notified. */
export function actionFor(provider: MessageProvider['name'], code: string): ErrorAction {
  const known = CODES[provider];
  // Codes 200 to 299 are missing permissions of the token.
  if (/^2\d\d$/.test(code)) return 'open circuit';
  if (Object.hasOwn(known, code)) return known[code] ?? 'final, raise';
  return Object.hasOwn(HTTP, code) ? (HTTP[code] ?? 'final, raise') : 'final, raise';
}
