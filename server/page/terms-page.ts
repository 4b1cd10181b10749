import { html } from '../lib/html.ts';

export interface TermsPageOptions {
  brandName: string;
  operatorName: string | null;
  email: string | null;
}

/** HTML of `/terms`: what the site does and does not promise. */
export function termsPage({ brandName, operatorName, email }: TermsPageOptions): string {
  const operator = operatorName === null ? brandName : `${operatorName}, who run ${brandName}`;
  const contact = email && html`<p>Questions? Write to <a href="mailto:${email}">${email}</a>.</p>`;
  return html`<main class="plain-text">
<h1>Terms of use</h1>
<p>${brandName} compares package holidays. It’s free to use, and you don’t need an account. These terms are between you and ${operator}.</p>
<h2>Booking</h2>
<p>We don’t sell holidays. When you follow a link, you leave ${brandName} and book direct with the provider, at their price and on their terms. Your contract, your payment and your financial protection are with them. Check the ATOL certificate that the provider gives you.</p>
<h2>Prices</h2>
<p>Prices come from the providers and change often. Each card says when we last saw its price. The price you pay is the one on the provider’s site.</p>
<p>Our verdicts compare a price with its own past, with similar holidays and with our own estimate. They are not advice.</p>
<h2>Price alerts</h2>
<p>Alerts are free and you can stop them at any time. We can’t promise that they’ll reach you, or in time. Our <a href="/privacy">privacy notice</a> says how we look after your number or address.</p>
<h2>Fair use</h2>
<p>Please don’t overload the site or copy it in bulk.</p>
${contact}
<p><a href="/">Back to the search</a></p>
</main>`.text;
}
