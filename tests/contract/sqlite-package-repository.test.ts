import { openPackageRepository } from '../../server/package-search/open-package-repository.ts';
import { openInventoryWriter } from '../../server/storage/open-inventory-writer.ts';
import { embeddedStore } from '../../server/storage/store-address.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { describePackageRepository } from './package-repository.ts';

describePackageRepository('The embedded store', async () => {
  const folder = temporaryFolder();
  const repository = await openPackageRepository(embeddedStore(folder.path));
  const writer = await openInventoryWriter(embeddedStore(folder.path));
  return {
    writer,
    repository,
    async close() {
      await writer.close();
      await repository.close();
      folder.remove();
    },
  };
});
