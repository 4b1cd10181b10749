/** What to do about a rejected or failed message. */
export type ErrorAction =
  /** The message can never be delivered. */
  | 'final'
  /** The same, and the operator is notified: the request or the template is wrong. */
  | 'final, raise'
  /** Send it again as a template: free text is not accepted now. */
  | 'as template'
  /** The provider fails at the moment: retry with increasing delays, from half a minute. */
  | 'soon'
  /** The provider delays the message: retry with increasing delays, from an hour. */
  | 'later'
  /** The same, and the operator is notified: the subscription or our key is wrong. */
  | 'later, raise'
  /** The person has stopped messages at the provider. */
  | 'stop'
  /** The address or subscription no longer exists: its watches end. */
  | 'gone'
  | 'slow down'
  | 'slow down to this number'
  /** The template does not work now: delay its messages, try one now and then, and notify the operator. */
  | 'hold template'
  /** Pause all sending and notify the operator. */
  | 'pause'
  /** The account or its token does not work: send nothing until a probe succeeds, and notify the operator. */
  | 'open circuit';

/** Looks up the action of an error code in lists of codes by action. */
export function errorTable(
  codes: Partial<Record<ErrorAction, readonly (number | string)[]>>,
): (code: string) => ErrorAction | undefined {
  const actions = new Map(
    Object.entries(codes).flatMap(([action, listed]) =>
      listed.map((code) => [String(code), action as ErrorAction] as const),
    ),
  );
  return (code) => actions.get(code);
}

const HTTP = errorTable({
  // Token, account or address.
  'open circuit': [401, 402, 403, 301, 302, 307, 308, 404, 405].map((status) => `http ${status}`),
  'slow down': ['http 429'],
  // DNS, connection or certificate error, or a timeout, before the request was sent. Or the provider's records do not
  // have a message whose outcome was unknown.
  soon: ['no connection', 'not sent'],
});

/** What to do about a failed HTTP call, by its status. An unknown code is final, and the operator is notified. */
export function httpAction(code: string): ErrorAction {
  return /^http 5\d\d$/.test(code) ? 'soon' : (HTTP(code) ?? 'final, raise');
}

/** Who can resolve a failure, as operators read it. */
export type FailureClass =
  | 'may pass'
  | 'final for this number'
  | 'final for this message'
  | 'operator must act';

export const FAILURE_CLASSES: Readonly<Record<ErrorAction, FailureClass>> = {
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

/** Whether a code only means that the provider is down, so that it counts as no answer. */
export function isOutage(code: string): boolean {
  return code === 'no connection' || /^(http|push) 5\d\d$/.test(code);
}
