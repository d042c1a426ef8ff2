/** Text that is safe where it stands in a page. */
export interface Html {
  readonly html: string
}

type Part = Html | readonly Html[] | string | number | null | false

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character]!)

function written(part: Part): string {
  if (part === null || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part))
  return Array.isArray(part) ? part.map(written).join('') : (part as Html).html
}

/** Everything put in is escaped, unless it was made by this itself. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: strings.map((text, index) => text + (index < parts.length ? written(parts[index]!) : '')).join('') }
}
