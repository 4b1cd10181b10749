import type { AlertsConfig } from '../alerts/alerts-config.ts';
import type { Config } from '../config.ts';
import { errorMessage } from '../lib/error-message.ts';
import type { DoctorEnvironment } from './environment.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

/** Checks the alerts' settings, and whether the message provider can be reached. */
export async function checkProvider(
  environment: DoctorEnvironment,
  { mode }: Config,
  { provider, isOffered, quietHours }: AlertsConfig,
): Promise<Finding[]> {
  if (provider.kind === 'local') {
    return [
      ok(
        isOffered
          ? 'Price alerts go to the local outbox, which delivers no messages.'
          : 'Price alerts are off. To offer them, set ALERT_PROVIDER to meta or twilio.',
      ),
    ];
  }
  const findings: Finding[] = [];
  if (mode === 'production' && !provider.baseUrl.startsWith('https:')) {
    findings.push(
      bad(`${provider.baseUrl} is not an https URL: phone numbers would be sent unencrypted.`, 'Use https.'),
    );
  }
  if ('publicUrl' in provider && !provider.publicUrl.startsWith('https:')) {
    findings.push(
      warn('PUBLIC_URL is not an https URL: providers refuse others.', 'Set it to the https URL.'),
    );
  }
  if (quietHours === null) {
    findings.push(
      warn('ALERT_QUIET_HOURS is none: messages are sent at night too.', 'Unset it for 21:00-08:00.'),
    );
  }
  try {
    await environment.reach(provider.baseUrl);
    findings.push(
      ok(`The provider ${provider.kind} can be reached. Its keys are tested by the first message.`),
    );
  } catch (error) {
    findings.push(
      bad(
        `The provider ${provider.kind} cannot be reached at ${provider.baseUrl}: ${errorMessage(error)}.`,
        'Check whether a firewall blocks it.',
      ),
    );
  }
  return findings;
}
