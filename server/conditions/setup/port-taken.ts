import { once } from 'node:events';
import { createServer } from 'node:net';
import { errorCode, errorMessage } from '../../lib/error-message.ts';
import { isLoopback } from '../../lib/ip-address.ts';
import type { Condition, Fault } from '../condition.ts';
import type { DoctorView } from './doctor-view.ts';

export const PORT_TAKEN: Condition<DoctorView> = {
  id: 'port',
  level: 'bad',
  sentence: 'The server cannot listen on $',
  remedy: 'Set HOST to an address of this machine, and PORT to 1024 or higher.',
  async read({ config: { host, port }, reach }) {
    const server = createServer();
    try {
      server.listen(port, host);
      await once(server, 'listening');
      return port === 0 ? 'PORT is 0: any free port is used.' : `Port ${port} of ${host} is free.`;
    } catch (error) {
      if (errorCode(error) === 'EADDRINUSE') return await describePortOwner(reach, host, port);
      return { subject: host, detail: errorMessage(error) };
    } finally {
      server.close();
    }
  },
};

async function describePortOwner(
  reach: DoctorView['reach'],
  host: string,
  port: number,
): Promise<Fault | string> {
  const reachable = /^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host;
  const url = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
  const statusOf = (path: string) => reach(url + path).catch(() => null);
  // Only Skylark responds at both URLs.
  const [ready, config] = await Promise.all([statusOf('/readyz'), statusOf('/config.json')]);
  if (config !== 200 || (ready !== 200 && ready !== 503)) {
    const remedy = `Stop it, or set PORT to a free one, such as ${port + 1}`;
    return { sentence: `Another program uses port ${port}`, remedy };
  }
  const sentence = `A Skylark server is running at ${url}`;
  if (ready === 200) return `${sentence} and is ready.`;
  return {
    level: 'warn',
    sentence: `${sentence} but is not ready`,
    remedy: `See ${url}/readyz for the reasons`,
  };
}

export const SCHEMA_EXPOSED: Condition<DoctorView> = {
  id: 'schema',
  level: 'warn',
  sentence: 'HOST is $: anyone can read the GraphQL schema',
  remedy: 'Set NODE_ENV=production on a server that others can reach.',
  read: ({ config: { host, mode } }) =>
    !isLoopback(host) &&
    host !== 'localhost' &&
    mode !== 'production' && { subject: `${host} and NODE_ENV is ${mode}` },
};

export const PROXY_UNKNOWN: Condition<DoctorView> = {
  id: 'proxy',
  level: 'warn',
  sentence: 'TRUST_PROXY is not set: behind a proxy, all visitors share its address and one request limit',
  remedy: "Set TRUST_PROXY to the proxy's address, or ignore this if there is no proxy.",
  read: ({ config: { mode, trustedProxies, requestLimit } }) =>
    mode === 'production' && trustedProxies.length === 0 && requestLimit > 0 && {},
};
