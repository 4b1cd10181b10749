/** What to offer for a text typed as the destination; null: nothing. */
export function anywhereOffer(text: string): string | null {
  return /^any\s?where$/i.test(text.trim()) ? 'Going anywhere? Explore every place by price' : null;
}
