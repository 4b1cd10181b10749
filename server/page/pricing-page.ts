import { html } from '../lib/html.ts';

/** HTML of `/how-we-price`: what a price includes, with an example. */
export function pricingPage(brandName: string): string {
  return html`<main class="plain-text">
<h1>How we price</h1>
<p>The prices on ${brandName} are what your holiday costs in total: the provider’s price plus the charges that we know you can’t avoid at the resort, such as tourist taxes.</p>
<p>We work those charges out from each place’s public rules, the hotel’s stars, your dates and your party, and convert them at a dated exchange rate, which the card shows.</p>
<p>For example, a week for two at £989 with a tourist tax of €2.80 per person per night is £989 to the provider and, at €1.15 to the pound, about £34 at the hotel: we show £1,023, and sort, filter and send alerts by that.</p>
<p>If we don’t know a place’s charges, the card says so, and the price leaves them out.</p>
<p>Hotels ask for ages and we don’t know them, so we count a child as 10 and an infant as 1: your bill at the hotel may differ a little.</p>
<p>How our verdicts on prices turned out is in the <a href="/price-record">price record</a>.</p>
<p><a href="/">Back to the search</a></p>
</main>`.text;
}
