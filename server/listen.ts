import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { errorCode, errorMessage } from './lib/error-message.ts';
import { StartRefused } from './start-refused.ts';

/**
 * How many connections the system queues before the server accepts them. The system drops further ones, whose
 * clients retry after seconds.
 */
const BACKLOG = 4_096;

/** Listens, and resolves with the URL. Throws `StartRefused` if the setting cannot be used. */
export async function listen(app: FastifyInstance, { port, host }: Config): Promise<string> {
  try {
    return await app.listen({
      port,
      host,
      backlog: BACKLOG,
      listenTextResolver: (address) => `Listening at ${address}`,
    });
  } catch (error) {
    throw new StartRefused(faultOf(error, port, host));
  }
}

function faultOf(error: unknown, port: number, host: string): string {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `PORT must be a free port, such as ${port + 1} (got "${port}", which another program uses).`;
    case 'EACCES':
      return `PORT must be 1024 or higher for this user (got "${port}").`;
    default:
      return `HOST must be an address of this machine (got "${host}"): ${errorMessage(error)}.`;
  }
}
