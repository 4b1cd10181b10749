import { isListableHost } from './feed-link.ts';

export type ParsedFeedHosts = { kind: 'hosts'; hosts: string[] } | { kind: 'refused'; message: string };

/** The hosts that feeds are fetched from: `FEED_HOSTS`, with commas between; none where it is not set. */
export function parseFeedHosts(variables: Readonly<Record<string, string | undefined>>): ParsedFeedHosts {
  const hosts = (variables.FEED_HOSTS ?? '')
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
  const wrong = hosts.find((host) => !isListableHost(host));
  if (wrong === undefined) return { kind: 'hosts', hosts };
  return {
    kind: 'refused',
    message: `FEED_HOSTS has "${wrong}", and takes host names such as feeds.sunward.example, with commas between.`,
  };
}
