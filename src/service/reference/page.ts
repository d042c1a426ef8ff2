import type { Document } from './document.ts'
import { operationsByTag } from './document.ts'
import { fieldTable } from './fields.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import { operationSection } from './operation.ts'
import { style } from './style.ts'

/** Character for character what the policy's hash was taken of. */
const styleElement = { html: `<style>${style}</style>` }

/** The OpenAPI document as a page to read: whole in itself, without a script. */
export function referencePage(document: Document): string {
  const kinds = [...operationsByTag(document)]
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Clinical Documentation Service API</title>
        <link rel="icon" href="data:," />
        ${styleElement}
      </head>
      <body>
        <a class="skip" href="#content">To the text</a>
        <div class="page">
          <nav aria-label="Operations">
            <div class="mark"><span aria-hidden="true">A.</span>Service API</div>
            <ul>
              <li><a href="#basics">Basics</a></li>
            </ul>
            ${kinds.map(
              ([kind, operations]) =>
                html`<h2>${named(kind)}</h2>
                  <ul>
                    ${operations.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}
                  </ul>`,
            )}
            <h2>Records</h2>
            <ul>
              ${Object.keys(document.components.schemas).map((name) => html`<li><a href="#record-${name}">${name}</a></li>`)}
            </ul>
          </nav>
          <main id="content">
            <h1>${document.info.title}</h1>
            <p class="second">Version ${document.info.version}. For machines: <a href="openapi.json">openapi.json</a>.</p>
            ${basics()}
            ${kinds.map(
              ([kind, operations]) =>
                html`<h2 class="kind">${named(kind)}</h2>
                  ${operations.map(operationSection)}`,
            )}
            <h2 class="kind">Records</h2>
            ${Object.entries(document.components.schemas).map(
              ([name, schema]) =>
                html`<section id="record-${name}" aria-labelledby="record-${name}-title">
                  <h3 id="record-${name}-title">${name}</h3>
                  ${fieldTable(schema)}
                </section>`,
            )}
          </main>
        </div>
      </body>
    </html>`
  return page.html
}

const named = (kind: string): string => kind.replaceAll('-', ' ')

function basics(): Html {
  return html`<section id="basics" aria-labelledby="basics-title">
    <h3 id="basics-title">Basics</h3>
    <p>
      Every call carries <code>Authorization: Bearer</code> with an API key or an OAuth 2.0 access token, and a body is
      <code>application/json</code>. Each address answers under <code>/v1</code> and <code>/api/v1</code>; those under
      <code>/ai</code> also under <code>/api/ai</code>.
    </p>
    <p>
      <b>Once.</b> Any POST may carry an <code>Idempotency-Key</code>. The same key and body again, within 90 days, gives the same
      answer, with <code>Idempotency-Replayed: true</code>, and does nothing twice.
    </p>
    <p>
      <b>Changes.</b> Records count their versions. Send the <code>ETag</code> you were given as <code>If-Match</code>: 412 says
      that somebody was faster and carries the record as it is now.
    </p>
    <p>
      <b>Lists.</b> <code>limit</code> and <code>cursor</code> page through them; <code>updated_since</code> gives what changed
      since.
    </p>
    <p>
      <b>Long work.</b> <code>Prefer: respond-async</code> answers 202 at once, with the address of an operation to ask. Without
      it the call waits up to a minute and then does the same.
    </p>
    <p>
      <b>Quota.</b> <code>RateLimit</code> says what is left of the day and when it begins anew. Past it, 429 with
      <code>Retry-After</code>.
    </p>
    <p>
      <b>Errors</b> are RFC 9457 problems (<a href="#record-Problem">Problem</a>): <code>code</code> for programs,
      <code>detail</code> for people, <code>request_id</code> for asking about it.
    </p>
  </section>`
}
