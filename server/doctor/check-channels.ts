import type { AlertsConfig } from '../alerts/alerts-config.ts';
import { readVapidKeys } from '../alerts/keys/vapid-key.ts';
import type { Config } from '../config.ts';
import { installedCommand } from '../lib/installed-command.ts';
import type { DoctorEnvironment } from './environment.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

/** Checks alerts by email and web push: their settings, the mail server and the VAPID key. */
export async function checkChannels(
  environment: DoctorEnvironment,
  { mode, store }: Config,
  { mailServer, webPush, siteUrl }: AlertsConfig,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (mailServer !== null) findings.push(await checkMailServer(environment, mailServer.url));
  if (webPush === null) return findings;
  const hasKey = webPush.key !== null || store.kind === 'embedded';
  if (!hasKey) {
    findings.push(
      warn(
        'Web push is off: servers that share a store need the same VAPID_KEY.',
        `Set VAPID_KEY on all of them to what '${installedCommand('alerts', 'vapid-key')}' prints.`,
      ),
    );
  } else if (mode === 'production' && siteUrl?.startsWith('https:') !== true) {
    findings.push(
      warn('Browsers allow web push on https sites only.', 'Set PUBLIC_URL to the https URL of this site.'),
    );
  } else {
    findings.push(checkVapidKey(webPush.key));
  }
  return findings;
}

async function checkMailServer({ logInTo }: DoctorEnvironment, smtpUrl: string): Promise<Finding> {
  const { protocol, hostname, port } = new URL(smtpUrl);
  // The server's host and port, without user and password.
  const name = `${hostname}:${port || (protocol === 'smtps:' ? '465' : '587')}`;
  const refusal = await logInTo(smtpUrl);
  if (refusal === null) return ok(`The mail server ${name} accepts the login of SMTP_URL.`);
  return refusal === 'no connection'
    ? bad(`The mail server ${name} cannot be reached.`, 'Check SMTP_URL, and whether a firewall blocks it.')
    : bad(
        `The mail server ${name} refuses the login: ${refusal}.`,
        'Check the user and the password in SMTP_URL.',
      );
}

function checkVapidKey(key: Uint8Array | null): Finding {
  if (key === null) return ok('Web push uses the key file vapid.key of the data folder.');
  try {
    readVapidKeys(key, { kind: 'embedded', dataDir: '' });
    return ok('Web push uses VAPID_KEY.');
  } catch {
    return bad(
      'VAPID_KEY is not a P-256 key.',
      `Make one with '${installedCommand('alerts', 'vapid-key')}'.`,
    );
  }
}
