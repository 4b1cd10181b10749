import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config.ts';
import { errorCode, errorMessage } from '../lib/error-message.ts';
import { isLoopback } from '../lib/ip-address.ts';
import type { DoctorEnvironment } from './environment.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

/** Checks that the listen address is free, and reports who can reach it. */
export async function checkListenAddress(environment: DoctorEnvironment, config: Config): Promise<Finding[]> {
  return [await checkPort(environment, config), ...checkExposure(config)];
}

async function checkPort(environment: DoctorEnvironment, { host, port }: Config): Promise<Finding> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return ok(port === 0 ? 'PORT is 0: any free port is used.' : `Port ${port} of ${host} is free.`);
  } catch (error) {
    switch (errorCode(error)) {
      case 'EADDRINUSE':
        return describePortOwner(environment, host, port);
      case 'EACCES':
        return bad(
          `This user may not listen on port ${port}.`,
          'Set PORT to 1024 or higher, and put a proxy in front.',
        );
      default:
        return bad(
          `The server cannot listen on ${host}: ${errorMessage(error)}.`,
          'Set HOST to an address of this machine.',
        );
    }
  } finally {
    server.close();
  }
}

async function describePortOwner(
  environment: DoctorEnvironment,
  host: string,
  port: number,
): Promise<Finding> {
  const reachable = /^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host;
  const url = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
  // Only Skylark responds at both URLs.
  const [ready, config] = await Promise.all([statusOf('/readyz'), statusOf('/config.json')]);
  if (config !== 200 || (ready !== 200 && ready !== 503)) {
    return bad(
      `Another program uses port ${port}.`,
      `Stop it, or set PORT to a free one, such as ${port + 1}.`,
    );
  }
  if (ready === 200) return ok(`A Skylark server is running at ${url} and is ready.`);
  return warn(
    `A Skylark server is running at ${url} but is not ready.`,
    `See ${url}/readyz for the reasons.`,
  );

  function statusOf(path: string): Promise<number | null> {
    return environment.reach(url + path).catch(() => null);
  }
}

function checkExposure({ host, mode, metricsToken, trustedProxies, requestLimit }: Config): Finding[] {
  const isReachable = !isLoopback(host) && host !== 'localhost';
  const findings: Finding[] = [];
  if (isReachable && mode !== 'production') {
    findings.push(
      warn(
        `HOST is ${host} and NODE_ENV is ${mode}: anyone can read the GraphQL schema.`,
        'Set NODE_ENV=production on a server that others can reach.',
      ),
    );
  }
  if (mode === 'production' && trustedProxies.length === 0 && requestLimit > 0) {
    findings.push(
      warn(
        'TRUST_PROXY is not set: behind a proxy, all visitors appear to have its address and share one request limit.',
        "Set TRUST_PROXY to the proxy's address, or ignore this if there is no proxy.",
      ),
    );
  }
  if (metricsToken === null && mode === 'production') {
    findings.push(ok('The metrics are off. Set METRICS_TOKEN to read them in production.'));
  } else if (metricsToken === null && isReachable) {
    findings.push(ok('Only this machine can read the metrics. Set METRICS_TOKEN to let others read them.'));
  }
  return findings;
}
