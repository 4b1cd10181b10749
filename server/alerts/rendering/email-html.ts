import { type Html, html } from '../../lib/html.ts';

export type EmailPart =
  | { kind: 'heading' | 'words' | 'holiday' | 'small'; text: string }
  | { kind: 'button'; label: string; href: string }
  | { kind: 'list'; title: string; items: readonly string[] }
  | { kind: 'links'; links: readonly { label: string; href: string }[] };

/** Styles for light and dark. The HTML repeats colours inline, because some programs drop the stylesheet. */
const STYLE = html`:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#12181f!important}
.sheet{background:#1c2530!important;color:#e8edf2!important}
.card{background:#263241!important;color:#e8edf2!important}
.soft,.soft a{color:#b6c2cf!important}
.act{background:#8cc6ff!important;color:#0b2239!important}
}`;

/** An email's HTML: one column, headings and lists, and descriptive links. */
export function emailHtml({
  subject,
  brandName,
  parts,
}: {
  subject: string;
  brandName: string;
  parts: readonly EmailPart[];
}): string {
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${STYLE}</style>
</head>
<body class="page" style="margin:0;background:#eef3f7">
<main class="sheet" style="max-width:36rem;margin:0 auto;padding:24px;background:#ffffff;color:#17212b;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<p style="margin:0 0 16px;font-weight:700">${brandName}</p>
${parts.map(htmlOf)}
</main>
</body>
</html>
`.text;
}

function htmlOf(part: EmailPart): Html {
  switch (part.kind) {
    case 'heading':
      return html`<h1 style="margin:0 0 16px;font-size:24px;line-height:1.25">${part.text}</h1>`;
    case 'words':
      return html`<p style="margin:0 0 16px">${part.text.split('\n').map((line, index) => html`${index > 0 && BREAK}${line}`)}</p>`;
    case 'small':
      return html`<p class="soft" style="margin:24px 0 0;font-size:14px;color:#4a5a69">${part.text}</p>`;
    case 'holiday':
      return html`<p class="card" style="margin:0 0 16px;padding:16px;border-radius:8px;background:#eef3f7;color:#17212b;font-weight:600">${part.text}</p>`;
    case 'button':
      return html`<p style="margin:0 0 16px"><a class="act" href="${part.href}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#0b5cab;color:#ffffff;font-weight:700;text-decoration:none">${part.label}</a></p>`;
    case 'list':
      return html`<h2 style="margin:0 0 8px;font-size:18px">${part.title}</h2>
<ul style="margin:0 0 16px;padding-left:24px">
${part.items.map((item) => html`<li style="margin:0 0 8px">${item}</li>`)}
</ul>`;
    case 'links':
      return html`<p class="soft" style="margin:24px 0 0;font-size:14px;color:#4a5a69">${part.links.map(
        ({ label, href }) =>
          html`<a href="${href}" style="display:inline-block;padding:8px 16px 8px 0;color:#4a5a69">${label}</a>`,
      )}</p>`;
  }
}

const BREAK = html`<br>`;
