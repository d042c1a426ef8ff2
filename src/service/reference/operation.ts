import { examples } from '#contract/rest/examples.ts'
import type { Parameter, Placed } from './document.ts'
import { fieldTable, typeOf } from './fields.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'

/** Examples are read, not run: nobody's address or key stands in them. */
const base = 'https://service.example/v1'

export function operationSection({ method, path, operation }: Placed): Html {
  const { operationId, summary, parameters, requestBody, responses } = operation
  const body = Object.values(requestBody?.content ?? {})[0]
  const answers = Object.entries(responses)
  return html`<section id="${operationId}" aria-labelledby="${operationId}-title">
    <h3 id="${operationId}-title">${summary}</h3>
    <p class="address"><span class="method">${method}</span> <code>${path}</code></p>
    <p class="second">
      ${whoMay(operation['x-roles'])}${operation['x-counts-against-quota'] ? ' Counts against the day’s quota.' : ''}
    </p>
    <pre tabindex="0" aria-label="Example of ${summary}">${exampleOf(method, path, operationId, parameters, body?.example)}</pre>
    ${parameters.length > 0 && parameterTable(parameters)}
    ${
      body !== undefined &&
      html`<h4>Body</h4>
        ${fieldTable(body.schema)}`
    }
    <h4>Answers</h4>
    <table>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${answers
          .filter(([status]) => Number(status) < 400)
          .map(([status, { description, content }]) => {
            const schema = Object.values(content ?? {})[0]?.schema
            return html`<tr>
              <td><code>${status}</code></td>
              <td>
                ${description}${schema !== undefined && html`: ${typeOf(schema)}${schema.properties !== undefined && fieldTable(schema)}`}
              </td>
            </tr>`
          })}
      </tbody>
    </table>
    <details>
      <summary>What it can be refused with</summary>
      <table>
        <tbody>
          ${answers
            .filter(([status]) => Number(status) >= 400)
            .map(
              ([status, { description }]) =>
                html`<tr>
                  <td><code>${status}</code></td>
                  <td>${inCode(description)}</td>
                </tr>`,
            )}
        </tbody>
      </table>
    </details>
  </section>`
}

function parameterTable(parameters: readonly Parameter[]): Html {
  const rows = parameters.map(
    ({ name, in: place, required, schema, description }) =>
      html`<tr>
        <td><code>${name}</code>${required && html` <span class="needed">required</span>`}</td>
        <td>${place}</td>
        <td>${typeOf(schema)}</td>
        <td>${description === undefined ? null : inCode(description)}</td>
      </tr>`,
  )
  return html`<h4>Parameters</h4>
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Where</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`
}

const reaches: Readonly<Record<string, string>> = {
  all: 'all of the practice',
  caseload: 'own caseload',
  supervised: 'own and supervised',
  limited: 'limited fields',
  own: 'own only',
}

function whoMay(roles: Readonly<Record<string, string>>): string {
  const named = Object.entries(roles).map(([role, reach]) => `${role.replaceAll('_', ' ')} (${reaches[reach] ?? reach})`)
  return named.length === 0 ? 'No role may do this.' : `For ${named.join(', ')}.`
}

/** As one would type it. */
function exampleOf(method: string, path: string, id: string, parameters: readonly Parameter[], body: unknown): string {
  const query = examples[id as keyof typeof examples]?.query ?? ''
  const headers = [
    "-H 'Authorization: Bearer aw_live_...'",
    ...(parameters.some(({ name }) => name === 'If-Match') ? [`-H 'If-Match: "1"'`] : []),
    ...(method === 'POST' ? ["-H 'Idempotency-Key: a-key-of-your-own'"] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`]),
  ]
  return [`curl -X ${method} '${base}${path}${query}'`, ...headers].join(' \\\n  ')
}

/** `word` in a sentence, as the document writes codes and headers. */
function inCode(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`
}
