/** What to do about a rejected or failed message. */
export type ErrorAction =
  /** The message can never be delivered. */
  | 'final'
  /** As 'final', and notify the operator: the request or the template is wrong. */
  | 'final, raise'
  /** The provider fails at the moment: retry with increasing delays, starting at half a minute. */
  | 'soon'
  /** The provider delays the message: retry with increasing delays, starting at an hour. */
  | 'later'
  /** As 'later', and notify the operator: the subscription or our key is wrong. */
  | 'later, raise'
  /** The person has stopped our messages at the provider. */
  | 'stop'
  /** The number, email address or subscription no longer exists: end its watches. */
  | 'gone'
  | 'slow down'
  | 'slow down to this number'
  /** The provider rejects the template for now: hold its messages, retry one at intervals, notify the operator. */
  | 'hold template'
  | 'pause'
  /** The account or its token fails: notify the operator, and send nothing until a test call succeeds. */
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
  // Wrong token, account or URL.
  'open circuit': [401, 402, 403, 301, 302, 307, 308, 404, 405].map((status) => `http ${status}`),
  'slow down': ['http 429'],
  // The request was not sent, because of DNS, the connection, a certificate or a timeout. Or the provider has
  // no record of a message whose outcome was unknown.
  soon: ['no connection', 'not sent'],
});

/** What to do about a failed HTTP call. An unknown code is final, and the operator is notified. */
export function httpAction(code: string): ErrorAction {
  return /^http 5\d\d$/.test(code) ? 'soon' : (HTTP(code) ?? 'final, raise');
}

/** Whether a code only shows that the provider is down. Such a call counts as one without a response. */
export function isOutage(code: string): boolean {
  return code === 'no connection' || /^(http|push) 5\d\d$/.test(code);
}
