import * as v from 'valibot';

const pageData = v.object({ packages: v.array(v.unknown()) });

/** The fields of a published package that the widget uses (docs/contracts/page-data.md). */
const shownPackage = v.object({
  ItemKey: v.string(),
  hotel: v.fallback(v.object({ HotelName: v.fallback(v.string(), '') }), { HotelName: '' }),
  additionalData: v.fallback(
    v.object({
      TotalPrice: v.fallback(v.nullable(v.number()), null),
      Availability: v.fallback(v.nullish(v.picklist(['checked', 'sold out']), null), null),
    }),
    { TotalPrice: null, Availability: null },
  ),
});

export interface ShownPackage {
  hotel: string;
  /** In pounds; null if the page shows no price. */
  price: number | null;
  /** The provider's response since the search: that `price` is its price now, or that it is sold out. */
  availability: 'checked' | 'sold out' | null;
}

/**
 * The published packages by ItemKey. Skips unreadable packages; an unreadable hotel or price counts as
 * unknown. The placeholders, not these packages, decide what is analysed.
 */
export function parseShownPackages(published: unknown): Map<string, ShownPackage> {
  const parsed = v.safeParse(pageData, published);
  const packages = parsed.success ? parsed.output.packages : [];
  return new Map(
    packages.flatMap((one) => {
      const read = v.safeParse(shownPackage, one);
      if (!read.success) return [];
      const { ItemKey, hotel, additionalData } = read.output;
      const { TotalPrice: price, Availability: availability } = additionalData;
      return [[ItemKey, { hotel: hotel.HotelName, price, availability }] as const];
    }),
  );
}
