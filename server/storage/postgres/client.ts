import pg from 'pg';

/** How long connecting may take, in milliseconds. */
const CONNECT_TIMEOUT = 3_000;

/** PostgreSQL settings by name, for one connection. */
export type ServerSettings = Readonly<Record<string, string>>;

/**
 * All statements look rows up by a key or walk a whole table, and their plans are kept. A plan that was made while a
 * table was empty would otherwise scan the whole table once it is full.
 */
const PLANNER_SETTINGS: ServerSettings = {
  jit: 'off',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

const NAME = 'skylark';

/**
 * A database or a role may have other values of these: floating-point numbers with all their digits, a writer that sees
 * what was committed while it waited for its lock, and no limit on an import's statements.
 */
const NEEDED_SETTINGS: ServerSettings = {
  application_name: NAME,
  extra_float_digits: '1',
  default_transaction_isolation: 'read committed',
  statement_timeout: '0',
};

// Counts and instants are far below 2^53, sums of prices too.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** The configuration of a connection. Options in the address are kept. */
export function connectionTo(url: string, settings: ServerSettings): pg.ClientConfig {
  const address = new URL(url);
  const own = address.searchParams.get('options');
  address.searchParams.delete('options');
  const all = Object.entries({ ...PLANNER_SETTINGS, ...NEEDED_SETTINGS, ...settings }).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`,
  );
  return {
    connectionString: address.href,
    options: [...(own === null ? [] : [own]), ...all].join(' '),
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
  };
}

/**
 * A connection that has its settings also behind a pooler that drops the options of its start, as PgBouncer does where it
 * is told to ignore them. A server that has read them reports the name that is among them.
 */
export class SettledClient extends pg.Client {
  readonly #options: string;
  #hasReadOptions = false;

  constructor(config: pg.ClientConfig = {}) {
    super(config);
    this.#options = config.options ?? '';
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ReportedParameter) => {
      if (parameterName === 'application_name' && parameterValue === NAME) this.#hasReadOptions = true;
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    const connected = super.connect().then(async (client) => {
      await this.#settle();
      return client;
    });
    if (callback === undefined) return connected;
    const call = callback as (error: Error | null, client?: pg.Client) => void;
    connected.then((client) => call(null, client), call);
    return undefined;
  }

  async #settle(): Promise<void> {
    if (this.#hasReadOptions) return;
    const settings = settingsIn(this.#options).filter(([name]) => name !== 'application_name');
    await this.query(
      'select set_config(setting ->> 0, setting ->> 1, false) from json_array_elements($1) as setting',
      [JSON.stringify(settings)],
    );
  }
}

/** As the client's own types have it. */
type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

interface ReportedParameter {
  parameterName: string;
  parameterValue: string;
}

/** Names and values in the `options` of a connection, such as `-c jit=off --search_path=a\\ b`. */
function settingsIn(options: string): [name: string, value: string][] {
  const found = options.matchAll(/(?:-c\s*|--)([\w.]+)=((?:\\.|[^\s\\])*)/g);
  return [...found].map(([, name = '', value = '']) => [name, value.replaceAll(/\\(.)/g, '$1')]);
}

/** Replaces each `?` by PostgreSQL's `$1`, `$2` and so on. No statement has a `?` in a string literal. */
export function numbered(sql: string): string {
  let last = 0;
  return sql.replaceAll('?', () => {
    last += 1;
    return `$${last}`;
  });
}
