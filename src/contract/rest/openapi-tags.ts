import type { Route } from './route.ts'

interface Tag {
  readonly name: string
  readonly description: string
}

const core: Tag = { name: 'Core operations', description: 'The ten operations that every service of this kind offers.' }

/** By the first word of the path. */
const extensions: Readonly<Record<string, Tag>> = Object.fromEntries(
  (
    [
      ['Service', 'What this service is and who is calling.', ['', 'me']],
      ['Clients', 'Client records.', ['clients']],
      ['Sessions', 'Sessions, appointments and series.', ['sessions']],
      ['Consents', 'Who agreed to recording, transcription, drafting and analysis.', ['consents']],
      ['Audio uploads', 'Audio in parts (tus 1.0).', ['uploads']],
      ['Transcripts', 'What was said in sessions.', ['transcripts']],
      ['Notes', 'Drafts, signing, addenda and cosigning.', ['notes', 'psychotherapy-notes']],
      ['Templates', 'Custom templates for notes.', ['templates']],
      ['Analyses', 'Stored analyses of sessions.', ['analyses']],
      ['Long work and changes', 'Operations in progress and the change feed.', ['operations', 'events']],
      ['Rooms and availability', 'What the scheduler relies on.', ['rooms', 'availability']],
      ['Insurance', 'Eligibility results, authorizations and payers.', ['coverage', 'authorisations', 'payers']],
      ['Staff', 'People of the practice.', ['staff', 'break-glass', 'reassignments']],
      ['API keys', 'Who may call.', ['api-keys']],
      [
        'Audit and retention',
        'The audit log, legal holds and erasure.',
        ['audit-events', 'retention', 'legal-holds', 'erasures'],
      ],
      ['Speech models', 'Speech models and voice enrollment on the machine of the service.', ['models', 'voices']],
    ] as const
  ).flatMap(([name, description, words]) => words.map((word) => [word, { name, description }])),
)

export function tagOf({ path, published }: Pick<Route, 'path' | 'published'>): Tag {
  const word = path.split('/')[1] ?? ''
  const tag = published ? core : extensions[word]
  if (tag === undefined) throw new Error(`no tag for ${path}`)
  return tag
}

/** In the order of the document, each once. */
export function tagsOf(routes: readonly Route[]): { name: string; description: string }[] {
  const used = new Set(routes.map((route) => tagOf(route).name))
  return [core, ...new Set(Object.values(extensions))].filter(({ name }) => used.delete(name))
}
