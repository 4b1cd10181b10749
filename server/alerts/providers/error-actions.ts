import type { MessageProvider } from './message-provider.ts';

/** What to do about a rejected or failed message. */
export type ErrorAction =
  /** The message can never be delivered. */
  | 'final'
  /** The same, and the operator is notified: the request or the template is wrong. */
  | 'final, raise'
  /** Send it again as a template: free text is not accepted now. */
  | 'as template'
  /** The provider fails at the moment: retry after growing pauses, from half a minute. */
  | 'soon'
  /** The provider holds the message back: retry after growing pauses, from an hour. */
  | 'later'
  /** The same, and the operator is notified: it may be this subscription, or our key. */
  | 'later, raise'
  /** The person has stopped messages at the provider. */
  | 'stop'
  /** The address or subscription no longer exists: its watches end. */
  | 'gone'
  | 'slow down'
  | 'slow down to this number'
  /** The template does not work now: hold its messages, try one now and then, and notify the operator. */
  | 'hold template'
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
  1: 'soon',
  2: 'soon',
  131000: 'soon',
  131016: 'soon',
  133004: 'soon',
  // The recipient is the sender, or part of an experiment.
  131021: 'final',
  130472: 'final',
  // This message is wrong.
  100: 'final, raise',
  131008: 'final, raise',
  131009: 'final, raise',
  131051: 'final, raise',
  132005: 'final, raise',
  132018: 'final, raise',
  // The template: other parameters than ours, missing, against the policy, paused, disabled.
  132000: 'hold template',
  132001: 'hold template',
  132007: 'hold template',
  132012: 'hold template',
  132015: 'hold template',
  132016: 'hold template',
};

const TWILIO: Readonly<Record<string, ErrorAction>> = {
  20003: 'open circuit',
  20005: 'open circuit',
  20429: 'slow down',
  20500: 'soon',
  20503: 'soon',
  30001: 'soon',
  14107: 'slow down',
  21211: 'final',
  21610: 'stop',
  63001: 'open circuit',
  63002: 'open circuit',
  63003: 'final',
  63007: 'open circuit',
  63010: 'soon',
  63012: 'soon',
  63014: 'final',
  63015: 'final',
  63016: 'as template',
  63018: 'slow down',
  63024: 'final',
  63027: 'hold template',
  63028: 'hold template',
  63031: 'final',
  63032: 'final',
  63033: 'stop',
  63038: 'pause',
  63040: 'hold template',
  63041: 'hold template',
  63042: 'hold template',
  63049: 'later',
  63051: 'open circuit',
};

/** Answers of push services (RFC 8030). */
const PUSH: Readonly<Record<string, ErrorAction>> = {
  'push 404': 'gone',
  'push 410': 'gone',
  'push 429': 'slow down to this number',
  // The subscription was made with another key, or ours is wrong. A visitor can cause it, so it must not pause others.
  'push 401': 'later, raise',
  'push 403': 'later, raise',
  'push 400': 'final, raise',
  'push 413': 'final, raise',
  // Nothing can be encrypted for the subscription.
  'push key': 'gone',
};

/**
 * What an SMTP server's refusal means, from its step, code and enhanced code (RFC 5321, RFC 3463). A code that begins
 * with 4 may pass, one that begins with 5 does not.
 */
function smtpAction(code: string): ErrorAction {
  const [, step, status = '', enhanced = ''] = code.split(' ');
  if (status === '421') return 'slow down';
  if (status.startsWith('4')) return 'soon';
  // The account, or the sender: no message would get through.
  if (step === 'auth' || step === 'mail' || status === '530' || status === '535') return 'open circuit';
  if (step === 'rcpt') return /^5\.1\.(1|2|3|10)$/.test(enhanced) ? 'gone' : 'final';
  return 'final, raise';
}

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
  // DNS, connection or certificate error, or a timeout, before the request was sent.
  'no connection': 'soon',
  // The provider's records do not have a message whose outcome was unknown.
  'not sent': 'soon',
};

const CODES: Readonly<Record<MessageProvider['name'], Readonly<Record<string, ErrorAction>>>> = {
  local: {},
  meta: META,
  twilio: { ...META, ...TWILIO },
  bird: META,
  smtp: {},
  'web push': {},
};

/** What to do about a provider's error code. An unknown code is final, and the operator is notified. */
export function actionFor(provider: MessageProvider['name'], code: string): ErrorAction {
  const known = CODES[provider];
  if (code.startsWith('smtp ')) return smtpAction(code);
  if (code.startsWith('push ')) return PUSH[code] ?? (code.startsWith('push 5') ? 'soon' : 'final, raise');
  // Codes 200 to 299 are missing permissions of the token.
  if (/^2\d\d$/.test(code)) return 'open circuit';
  if (/^http 5\d\d$/.test(code)) return 'soon';
  if (Object.hasOwn(known, code)) return known[code] ?? 'final, raise';
  return Object.hasOwn(HTTP, code) ? (HTTP[code] ?? 'final, raise') : 'final, raise';
}

/** Whose turn it is after a failure, as operators read it. */
export type FailureClass =
  | 'may pass'
  | 'final for this number'
  | 'final for this message'
  | 'operator must act';

const CLASSES: Readonly<Record<ErrorAction, FailureClass>> = {
  soon: 'may pass',
  later: 'may pass',
  'later, raise': 'operator must act',
  'slow down': 'may pass',
  'slow down to this number': 'may pass',
  'as template': 'may pass',
  pause: 'may pass',
  stop: 'final for this number',
  gone: 'final for this number',
  final: 'final for this number',
  'final, raise': 'final for this message',
  'hold template': 'operator must act',
  'open circuit': 'operator must act',
};

export function failureClass(provider: MessageProvider['name'], code: string): FailureClass {
  return CLASSES[actionFor(provider, code)];
}

/** Whether a code says only that the provider is down, so it counts as no answer. */
export function isOutage(code: string): boolean {
  return code === 'no connection' || /^(http|push) 5\d\d$/.test(code);
}
