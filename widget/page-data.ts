import * as v from 'valibot';

/** The part of the published page data that the widget uses (docs/contracts/page-data.md). */
const pageData = v.object({
  packages: v.array(
    v.object({
      ItemKey: v.string(),
      hotel: v.object({ HotelName: v.nullish(v.string(), '') }),
      additionalData: v.object({ TotalPrice: v.nullish(v.number(), null) }),
    }),
  ),
});

export interface ShownPackage {
  itemKey: string;
  hotel: string;
  /** In pounds; null if the page shows none. */
  price: number | null;
}

/** The packages that the page shows; none if the published data cannot be read. */
export function parseShownPackages(published: unknown): ShownPackage[] {
  const parsed = v.safeParse(pageData, published);
  if (!parsed.success) return [];
  return parsed.output.packages.map(({ ItemKey, hotel, additionalData }) => ({
    itemKey: ItemKey,
    hotel: hotel.HotelName,
    price: additionalData.TotalPrice,
  }));
}
