import type { Schema } from './document.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'

/** Fields of a body, those of objects inside it behind a fold. */
export function fieldTable(schema: Schema): Html {
  const { properties = {}, required = [] } = objectOf(schema) ?? {}
  const rows = Object.entries(properties).map(([name, field]) => row(name, field, required.includes(name)))
  if (rows.length === 0) return html`<p class="second">${typeOf(schema)}</p>`
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Type</th>
        <th scope="col">Meaning</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

function row(name: string, field: Schema, isRequired: boolean): Html {
  const inner = objectOf(field)
  const fold =
    inner &&
    html`<details>
      <summary>Fields of <code>${name}</code></summary>
      ${fieldTable(inner)}
    </details>`
  return html`<tr>
    <td><code>${name}</code>${isRequired && html` <span class="needed">required</span>`}</td>
    <td>${typeOf(field)}</td>
    <td>${limitsOf(field)}${fold ?? null}</td>
  </tr>`
}

/** The object a field is, may be, or is a list of. A record by name has a place of its own on the page. */
function objectOf(schema: Schema): Schema | null {
  if (schema.properties !== undefined) return schema
  if (schema.items !== undefined) return objectOf(schema.items)
  for (const choice of schema.anyOf ?? schema.oneOf ?? []) {
    const found = objectOf(choice)
    if (found !== null) return found
  }
  return null
}

export function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)!
    return html`<a href="#record-${name}">${name}</a>`
  }
  if (schema.enum !== undefined)
    return html`${schema.enum.map((value, index) => html`${index > 0 && ' · '}<code>${String(value)}</code>`)}`
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`
  if (schema.items !== undefined) return html`list of ${typeOf(schema.items)}`
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return html`${choices.map((choice, index) => html`${index > 0 && ' or '}${typeOf(choice)}`)}`
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : ((schema.type as string | undefined) ?? 'anything')
  return html`${type === 'string' && schema.format !== undefined ? schema.format : type}`
}

function limitsOf({ description, minimum, maximum, maxLength, maxItems, default: usual }: Schema): Html {
  // The bounds of safe integers are no bounds of ours.
  const real = (bound: number | undefined): bound is number => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER
  const limits = [
    real(minimum) ? `at least ${minimum}` : null,
    real(maximum) ? `at most ${maximum}` : null,
    maxLength === undefined ? null : `up to ${maxLength} characters`,
    maxItems === undefined ? null : `up to ${maxItems}`,
    usual === undefined || typeof usual === 'object' ? null : `${JSON.stringify(usual)} where it is left out`,
  ].filter((limit) => limit !== null)
  return html`${description ?? null}${limits.length > 0 && html` <span class="second">${limits.join(', ')}</span>`}`
}
