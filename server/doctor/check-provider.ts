import type { AlertsConfig } from '../alerts/alerts-config.ts';
import type { Config } from '../config.ts';
import { errorMessage } from '../lib/error-message.ts';
import type { DoctorEnvironment } from './environment.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

/** The message provider: whether alerts are offered, and whether its interface can be reached from here. */
export async function checkProvider(
  environment: DoctorEnvironment,
  { mode }: Config,
  { provider, isOffered, quietHours }: AlertsConfig,
): Promise<Finding[]> {
  if (provider.kind === 'local') {
    if (isOffered) return [ok('Price alerts go to the local outbox, which delivers to nobody.')];
    return [
      warn(
        'Price alerts are off: the local outbox delivers to nobody, and this is production.',
        'Set ALERT_PROVIDER to meta, twilio or bird, or leave alerts off.',
      ),
    ];
  }
  const findings: Finding[] = [];
  if (mode === 'production' && !provider.baseUrl.startsWith('https:')) {
    findings.push(
      bad(`${provider.baseUrl} is no https address: numbers would travel in the open.`, 'Use https.'),
    );
  }
  if ('publicUrl' in provider && !provider.publicUrl.startsWith('https:')) {
    findings.push(warn('PUBLIC_URL is no https address, which providers refuse.', 'Give the https address.'));
  }
  if (quietHours === null) {
    findings.push(
      warn('ALERT_QUIET_HOURS is none: drops are told at night too.', 'Leave it out for 21:00-08:00.'),
    );
  }
  try {
    await environment.reach(provider.baseUrl);
    findings.push(
      ok(`The provider ${provider.kind} can be reached. Whether it takes the keys, the first message tells.`),
    );
  } catch (error) {
    findings.push(
      bad(
        `The provider ${provider.kind} cannot be reached at ${provider.baseUrl}: ${errorMessage(error)}.`,
        'See whether a firewall keeps this machine from it.',
      ),
    );
  }
  return findings;
}
