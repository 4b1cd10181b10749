import type { Proposal } from '../feed/propose/propose-mapping.ts';
import { type Html, html } from '../lib/html.ts';
import { installedCommand } from '../lib/installed-command.ts';

/** What the operator has entered. */
export interface NewProvider {
  code: string;
  name: string;
  /** The https URL of the feed; '' for an uploaded sample. */
  source: string;
}

/** A proposal for a sample, and what a check with it says. */
export interface Trial {
  /** The sample's id on this server. */
  sample: string;
  reasons: Proposal['reasons'];
  missing: Proposal['missing'];
  /** The mapping as JSON text; null: the feed needs none. */
  mapping: string | null;
  /** The provider's entry of providers.json. */
  block: string;
  check: string;
  exit: number | null;
}

export interface NewProviderView extends NewProvider {
  path: string;
  formToken: string;
  problem: string | null;
  trial: Trial | null;
}

export function newProviderPage(view: NewProviderView): { title: string; main: string } {
  const { path, formToken, problem, trial, code, name, source } = view;
  const { text } = html`<main class="admin">
<h1>A new provider</h1>
<p><a href="${path}">Back to operations</a></p>
<p>Give a sample of its feed. Skylark proposes how to read it, and checks it. Nothing is imported.</p>
${problem !== null && html`<p class="notice is-wrong" role="alert">${problem}</p>`}
<form method="post" action="${path}/new-provider" enctype="multipart/form-data">
<input type="hidden" name="token" value="${formToken}">
<p><label for="code">Code: 2 to 10 capital letters or digits</label>
<input id="code" name="code" value="${code}" required pattern="[A-Z0-9]{2,10}" autocomplete="off"></p>
<p><label for="name">Name, as visitors see it</label>
<input id="name" name="name" value="${name}" required maxlength="60" autocomplete="off"></p>
<p><label for="file">Sample: choose a file of at most 20 MB, or drop it here</label>
<input id="file" name="file" type="file"></p>
<p><label for="source">Or its https address, on a host in <code>FEED_HOSTS</code></label>
<input id="source" name="source" type="url" value="${source}" autocomplete="off"></p>
<button class="button-action">Propose and check</button>
</form>
${trial !== null && trialSection(view, trial)}
</main>`;
  return { title: 'A new provider', main: text };
}

function trialSection({ path, formToken, code, name, source }: NewProviderView, trial: Trial): Html {
  const verdict =
    trial.exit === 0
      ? 'The check has no findings.'
      : trial.exit === 3
        ? 'The check has findings: a first import would wait for your review.'
        : 'The check failed. Correct the mapping.';
  const findings = findingsIn(trial.check);
  return html`<div class="admin-beside">
<section><h2>Proposal</h2>
${trial.missing.length > 0 && html`<p class="notice is-wrong">No column seems to have ${trial.missing.join(', ')}. Add what is missing to the mapping.</p>`}
${trial.reasons.length > 0 && reasonList(trial.reasons)}
<form method="post" action="${path}/new-provider" enctype="multipart/form-data">
<input type="hidden" name="token" value="${formToken}"><input type="hidden" name="sample" value="${trial.sample}">
<input type="hidden" name="code" value="${code}"><input type="hidden" name="name" value="${name}"><input type="hidden" name="source" value="${source}">
${
  trial.mapping === null
    ? html`<p>The feed has items already, so it needs no mapping.</p>`
    : html`<p><label for="mapping">Mapping: save it as <code>${mappingFile(code)}</code> beside providers.json</label>
<textarea id="mapping" name="mapping" rows="24" spellcheck="false">${trial.mapping}</textarea></p>
<button class="button-action">Check this mapping</button>`
}
</form>
<h3>Entry of providers.json</h3>
<p>Add it to <code>providers</code>. Then <code>${installedCommand('feed', `run ${code}`)}</code> imports the feed; with a <code>schedule</code>, the server does.</p>
<pre tabindex="0">${trial.block}</pre>
</section>
<section><h2>Check</h2>
<div class="${trial.exit === 0 ? 'notice' : 'notice is-wrong'}" role="status"><p>${verdict}</p>
${findings.length > 0 && html`<ul>${findings.map((finding) => html`<li>${finding}</li>`)}</ul>`}</div>
<pre tabindex="0" class="admin-check">${trial.check}</pre>
</section></div>`;
}

function reasonList(reasons: Trial['reasons']): Html {
  const rows = reasons.map(
    ({ what, choice, why }) => html`<div><dt>${what}</dt><dd><strong>${choice}</strong>: ${why}</dd></div>
`,
  );
  return html`<dl>${rows}</dl>`;
}

/** The findings in a check's output. */
function findingsIn(check: string): string[] {
  const [, lines = ''] = /would be held for review:\n((?: {2}.*\n?)+)/.exec(check) ?? [];
  return lines.split('\n').flatMap((line) => line.trim() || []);
}

export function mappingFile(code: string): string {
  return `${code.toLowerCase()}-mapping.json`;
}
