import type { AuditRecord } from '#contract/model/audit-event.ts'

const columns = {
  seq: ({ seq }) => String(seq),
  recorded: ({ recorded }) => recorded,
  operation: ({ operation }) => operation,
  action: ({ action }) => action,
  outcome: ({ outcome }) => outcome,
  person: ({ agent }) => agent.person,
  key: ({ agent }) => agent.key ?? '',
  roles: ({ agent }) => agent.roles.join(' '),
  source: ({ source }) => source,
  entities: ({ entities }) => entities.join(' '),
  consent: ({ consent }) => consent ?? '',
  purpose: ({ purpose }) => purpose ?? '',
  request_id: ({ request_id }) => request_id,
  previous_hash: ({ previous_hash }) => previous_hash,
  hash: ({ hash }) => hash,
} satisfies Record<string, (event: AuditRecord) => string>

/** RFC 4180. */
export const csvHeader = `${Object.keys(columns).join(',')}\r\n`

export function csvLine(event: AuditRecord): string {
  return `${Object.values(columns)
    .map((valueOf) => cell(valueOf(event)))
    .join(',')}\r\n`
}

/** A spreadsheet takes what begins like a formula for one. */
function cell(text: string): string {
  const plain = /^[=+\-@\t]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
