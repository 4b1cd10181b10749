import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config.ts';
import { errorCode, errorMessage } from '../lib/error-message.ts';
import { isLoopback } from '../lib/ip-address.ts';
import type { DoctorEnvironment } from './environment.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

/** The address that the server listens at: whether it is free, who has it, and who can come. */
export async function checkListenAddress(environment: DoctorEnvironment, config: Config): Promise<Finding[]> {
  return [await checkPort(environment, config), ...checkExposure(config)];
}

async function checkPort(environment: DoctorEnvironment, { host, port }: Config): Promise<Finding> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return ok(port === 0 ? 'PORT is 0: any free port is taken.' : `Port ${port} of ${host} is free.`);
  } catch (error) {
    switch (errorCode(error)) {
      case 'EADDRINUSE':
        return describePortOwner(environment, host, port);
      case 'EACCES':
        return bad(
          `This user may not open port ${port}.`,
          'Set PORT to 1024 or more, and put a proxy in front.',
        );
      default:
        return bad(
          `Nothing can listen at ${host}: ${errorMessage(error)}.`,
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
  const near = /^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host;
  const address = `http://${near.includes(':') ? `[${near}]` : near}:${port}`;
  // Only Skylark answers both.
  const [ready, config] = await Promise.all([statusOf('/readyz'), statusOf('/config.json')]);
  if (config !== 200 || (ready !== 200 && ready !== 503)) {
    return bad(
      `Another program has port ${port}.`,
      `Stop it, or set PORT to a free one, such as ${port + 1}.`,
    );
  }
  if (ready === 200) return ok(`A Skylark answers at ${address}, and is ready.`);
  return warn(
    `A Skylark answers at ${address}, and is not ready.`,
    `${address}/readyz says what is missing.`,
  );

  function statusOf(path: string): Promise<number | null> {
    return environment.reach(address + path).catch(() => null);
  }
}

function checkExposure({ host, mode, metricsToken, trustedProxies, requestLimit }: Config): Finding[] {
  const isOpen = !isLoopback(host) && host !== 'localhost';
  const findings: Finding[] = [];
  if (isOpen && mode !== 'production') {
    findings.push(
      warn(
        `HOST is ${host}, and NODE_ENV is ${mode}: strangers can read the GraphQL schema.`,
        'Set NODE_ENV=production where others can come.',
      ),
    );
  }
  if (mode === 'production' && trustedProxies.length === 0 && requestLimit > 0) {
    findings.push(
      warn(
        'TRUST_PROXY is not set: behind a proxy all visitors have one address, so they share one allowance of sign-ups, and of requests one or none.',
        "Set TRUST_PROXY to the proxy's address, or leave it where visitors come without one.",
      ),
    );
  }
  if (isOpen && metricsToken === null) {
    findings.push(ok('Metrics are for this machine alone: METRICS_TOKEN would open them to others.'));
  }
  return findings;
}
