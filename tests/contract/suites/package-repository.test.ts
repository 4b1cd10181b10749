import { openInventoryWriter } from '../../../server/ingest/open-inventory-writer.ts';
import { openPackageRepository } from '../../../server/package-search/store/open-package-repository.ts';
import { ALL_STORE_KINDS } from '../../fixtures/shared-store-kinds.ts';
import { makeStore } from '../../fixtures/test-stores.ts';
import { readersOf } from '../../fixtures/test-threads.ts';
import { describePackageRepository } from './package-repository.ts';

for (const kind of ALL_STORE_KINDS) {
  describePackageRepository(`The ${kind} store`, async () => {
    const store = await makeStore(kind);
    const repository = await openPackageRepository(store.address, readersOf(store.address));
    const writer = await openInventoryWriter(store.address);
    return {
      writer,
      repository,
      async close() {
        await writer.close();
        await repository.close();
        await store.remove();
      },
    };
  });
}
