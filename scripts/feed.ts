import { join } from 'node:path';
import { parseConfig } from '../server/config.ts';
import { EXIT, feedCommand } from '../server/feed/feed-command.ts';
import { parseFeedHosts } from '../server/feed/feed-setting.ts';
import { providersPath, readProviders } from '../server/feed/provider-settings.ts';

// Imports providers' feeds into the store of the settings: npm run feed -- --help
const parsed = parseConfig(process.env);
const hosts = parseFeedHosts(process.env);
if (parsed.kind === 'refused') refuse(parsed.message);
else if (hosts.kind === 'refused') refuse(hosts.message);
else {
  const { store } = parsed.config;
  const providers = readProviders(providersPath(process.env, store.dataDir));
  if (providers.kind === 'refused') refuse(providers.message);
  else {
    process.exitCode = await feedCommand(process.argv.slice(2), {
      store,
      dataDir: store.dataDir,
      listsDir: join(import.meta.dirname, '../assets'),
      hosts: hosts.hosts,
      providers: providers.file,
      input: process.stdin,
      out: (line) => console.log(line),
      progress: process.stderr,
      now: Date.now,
    });
  }
}

function refuse(message: string): void {
  console.error(message);
  process.exitCode = EXIT.refused;
}
