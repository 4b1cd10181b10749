/** Where the price-analysis widget mounts itself for one result, which it knows by its item key (Section 1). */
export function PriceAnalysisPlaceholder({ itemKey }: { itemKey: string }) {
  return <div className="price-analysis" data-price-analysis={itemKey} />;
}
