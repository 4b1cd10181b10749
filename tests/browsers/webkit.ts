import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Builder, type WebDriver } from 'selenium-webdriver';
import { DriverService } from 'selenium-webdriver/remote/index.js';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

/** Starts WebKitGTK's small browser, MiniBrowser, without a profile, on a screen of its own. */
export async function openWebKit(
  webKitDriver: string,
  xvfb: string,
): Promise<{ driver: WebDriver; close: () => Promise<void> }> {
  const config = temporaryFolder();
  mkdirSync(join(config.path, 'gtk-3.0'));
  // Lets the window be as narrow as a phone.
  writeFileSync(join(config.path, 'gtk-3.0/gtk.css'), '* { min-width: 0; padding: 0 }');
  // Xvfb takes a free display and prints its number.
  const screen = spawn(xvfb, ['-displayfd', '1', '-nolisten', 'tcp', '-screen', '0', '1600x1000x24'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const screenExited = once(screen, 'exit');
  process.once('exit', () => screen.kill());
  const [display] = await once(screen.stdout, 'data');
  const service = new DriverService.Builder(webKitDriver)
    .setLoopback(true)
    .setEnvironment({ ...process.env, DISPLAY: `:${String(display).trim()}`, XDG_CONFIG_HOME: config.path })
    .build();
  const driver = await new Builder()
    .usingServer(await service.start())
    .withCapabilities({ browserName: 'MiniBrowser' })
    .build();
  return {
    driver,
    async close() {
      await driver.quit();
      await service.kill();
      screen.kill();
      await screenExited;
      config.remove();
    },
  };
}
