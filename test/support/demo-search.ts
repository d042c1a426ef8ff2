import type { ClientRow } from '#contract/bridge/clients.ts'
import type { MethodOutput } from '#contract/bridge/methods.ts'
import type { SessionRow } from '#contract/bridge/sessions.ts'

export const matches = (name: string, q: string): boolean =>
  name
    .toLowerCase()
    .split(/\s+/)
    .some((word) => word.startsWith(q.toLowerCase()))

const saidOn = (q: string, before: string, after: string) => [
  { text: before, matched: false },
  { text: q, matched: true },
  { text: after, matched: false },
]

/** Two notes and three transcripts that hold any words. */
export const demoFound = (
  q: string,
  clients: readonly ClientRow[],
  sessions: readonly SessionRow[],
): MethodOutput<'search.find'> => ({
  clients: clients
    .filter(({ client }) => matches(client.display_name, q))
    .map(({ client }) => ({ id: client.id, display_name: client.display_name })),
  notes: sessions.slice(1, 3).map(({ session, client_name }, index) => ({
    session_id: session.id,
    client_name,
    starts_at: session.starts_at,
    statement_id: ['plain', 'doubt'][index]!,
    excerpt: saidOn(q, 'Client reports going to ', ' again.'),
  })),
  words: sessions.slice(1, 4).map(({ session, client_name }, index) => ({
    session_id: session.id,
    client_name,
    starts_at: session.starts_at,
    segment_id: `s${index}`,
    start_ms: 735_000 + index * 61_000,
    excerpt: saidOn(q, 'I went to ', ' on Sunday, and for once I did not leave before the end of it.'),
  })),
})
