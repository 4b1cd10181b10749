import { html } from '../lib/html.ts';

/** HTML of `/how-we-price`: what a price includes, with an example, and how it is judged. */
export function pricingPage(brandName: string): string {
  return html`<main class="plain-text">
<h1>How we price</h1>
<p>A price on ${brandName} is the provider’s price plus the charges at the resort that you can’t avoid, such as tourist taxes. Beside each price we say:</p>
<ul>
<li><b>with charges at the hotel</b>, or <b>with about £34 at the hotel</b>: the price includes them;</li>
<li><b>with up to £40 at the hotel</b>: the charges depend on something we don’t know, such as the town’s latest rate. The price includes the most they can be, and the card says how they’re set;</li>
<li><b>in total</b>: there’s nothing to pay at the hotel;</li>
<li><b>plus charges at the hotel</b>: we don’t know them, and the price leaves them out.</li>
</ul>
<p>We work charges out from each place’s public rules, the hotel’s stars, your dates and your party. The card names each rule’s source and the day we read it. After a rule’s last known day we keep its last known rate, and say so. Exchange rates change; the card gives ours with its date.</p>
<p>For example, a week for two at £989 with a tourist tax of €2.80 per person per night is £989 to the provider and, at €1.15 to the pound, about £34 at the hotel: we show £1,023, and sort, filter and send alerts by that.</p>
<p>Hotels ask for ages and we don’t know them, so we count a child as 10 and an infant as 1: your bill at the hotel may differ a little.</p>
<h2>How we judge a price</h2>
<p>From the prices of the last four weeks we estimate what each holiday should cost: its hotel, dates, airport, board, room and party. Around that we give the range that holds four prices in five, and check every day that it does.</p>
<p>A price below that range is Low if it is also below what the same holiday usually costs. One above both is High. Inside the range it is Typical. Where the two disagree, or we know too little, we don’t say.</p>
<p>How our verdicts on prices turned out is in the <a href="/price-record">price record</a>.</p>
<p><a href="/">Back to the search</a></p>
</main>`.text;
}
