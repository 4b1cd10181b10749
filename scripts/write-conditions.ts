import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conditionsPage } from './conditions-page.ts';

writeFileSync(join(import.meta.dirname, '../docs/conditions.md'), conditionsPage());
