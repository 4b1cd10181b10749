import { errorCode, errorMessage } from '../../lib/error-message.ts';

/** A server to which no connection can be opened, or that must not be used. No statement has run. */
export class UnusableServer extends Error {
  override readonly name = 'UnusableServer';
  readonly reason: string;
  readonly remedy: string;

  /** `reason` continues the server's name, such as 'does not respond'. Neither ends with a full stop. */
  constructor(reason: string, remedy: string, options?: ErrorOptions) {
    super(`PostgreSQL ${reason}. ${remedy}`, options);
    this.reason = reason;
    this.remedy = remedy;
  }
}

type Explain = (address: URL | null, message: string) => [reason: string, remedy: string];

const LOGIN: Explain = (address) => [
  `refuses the user "${decodeURIComponent(address?.username ?? '')}" or its password`,
  'Correct the user and the password in the address',
];
const HOST: Explain = (address) => [
  `has an unknown host, "${address?.hostname}"`,
  'Correct the host in the address, or its entry in the DNS',
];

/** By SQLSTATE or Node's code. */
const REASONS: Readonly<Record<string, Explain>> = {
  '28P01': LOGIN,
  '28000': (_address, message) => [
    `refuses the login: ${message}`,
    'Correct the user in the address, or let it connect from this machine in pg_hba.conf',
  ],
  '3D000': (address) => [
    `has no database "${decodeURIComponent(address?.pathname.slice(1) ?? '')}"`,
    'Create the database, or correct its name in the address',
  ],
  '42501': (_address, message) => [
    `lacks a permission: ${message}`,
    'Make the user in the address the owner of the database',
  ],
  ENOTFOUND: HOST,
  EAI_AGAIN: HOST,
};

/** The driver's messages without a code. */
const MESSAGES: readonly (readonly [RegExp, Explain])[] = [
  [/^SASL|password must be a string/, LOGIN],
  [
    /SSL|certificate/i,
    (_address, message) => [
      `accepts no TLS connection: ${message}`,
      'Correct sslmode and sslrootcert in the address, or the certificate of the server',
    ],
  ],
];

/** What the operator has to correct; null if an error is of another kind. Never contains a password. */
export function explainedFault(error: unknown, url: string): UnusableServer | null {
  if (error instanceof UnusableServer) return error;
  const message = errorMessage(error);
  const code = errorCode(error);
  const explain =
    (typeof code === 'string' ? REASONS[code] : undefined) ??
    MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
  return explain ? new UnusableServer(...explain(URL.parse(url), message), { cause: error }) : null;
}

/** Why a connection to a server could not be opened. */
export function asUnusable(error: unknown, url: string): UnusableServer {
  // Such an error has one failure for each address of the host.
  const cause = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
  const remedy = 'Check that it is running, and that the host and the port in the address are right';
  return (
    explainedFault(cause, url) ??
    new UnusableServer(`does not respond: ${errorMessage(cause)}`, remedy, { cause })
  );
}

/** A fault as sentences for operators. */
export function faultSentences(name: string, { reason, remedy }: UnusableServer): string {
  return `${name} ${reason}. ${remedy}.`;
}
