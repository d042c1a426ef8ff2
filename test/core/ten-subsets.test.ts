import { describe, expect, test } from 'vitest'
import type { OpenCore } from './core-kit.ts'
import { clientWithSession, dialogue } from './core-kit.ts'
import { looked } from './looked.ts'
import { everything, setUpTen } from './ten-kit.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
/** What records, and work on them, need. */
const needed = [
  'clients.write',
  'sessions.sync',
  'consents',
  'transcripts',
  'notes',
  'templates',
  'uploads',
  'operations',
  'events',
]

/** From a seed, so that a subset that fails is found again. */
function subset(seed: number): string[] {
  let state = seed * 2_654_435_761
  return everything.filter(() => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 1) | 0
    return (state & 1) === 0
  })
}

const subsets: readonly (readonly [string, readonly string[]])[] = isFull
  ? [
      ...needed.map((missing) => [`all but ${missing}`, everything.filter((name) => name !== missing)] as const),
      ...needed.map((only) => [`${only} alone`, [only]] as const),
      ...Array.from({ length: 20 }, (_, seed) => [`half of them, seed ${seed}`, subset(seed + 1)] as const),
    ]
  : [['notes and clients.write alone', ['notes', 'clients.write']]]

/** What a person can act on, and what says why. */
const inWords = ['client-not-there', 'template-not-offered']

async function workThrough(open: OpenCore) {
  const { client, session, consent } = await clientWithSession(open)
  const participant = { name: 'Marisol Vega', role: 'client' } as const
  const more = { client_id: client.id, participant, text_version: '2', method: 'spoken' } as const
  await open.call('consents.give', { ...more, scopes: ['record', 'transcribe', 'draft', 'analyze'] })
  const content = new TextEncoder().encode(dialogue)
  const transcript = await open.call('transcripts.import', { session_id: session.id, file_name: 'session.txt', content })
  await open.settled()
  await open.call('insights.request', { session_id: session.id })
  await open.call('notes.draft', { session_id: session.id, template: 'soap' })
  await open.settled()
  await open.call('clients.update', { id: client.id, version: 1, patch: { phone: '5550100' } })
  expect((await open.call('insights.get', { session_id: session.id })).analysis).not.toBeNull()
  const { note } = await open.call('notes.get', { session_id: session.id })
  if (note !== null) {
    const checked = await open.call('notes.save', { id: note.id, version: note.version, ...looked(note) })
    await open.call('notes.sign', { id: note.id, version: checked.version })
    await open.call('notes.addAddendum', { id: note.id, text: 'Start time corrected.', reason: 'Typing error' })
  }
  await open.call('consents.revoke', { id: consent.id })
  await open.settled()
  const left = (await open.call('outbox.list', {})).filter(({ error }) => !inWords.includes(error ?? ''))
  expect(left).toEqual([])
  return { client, session, consent, transcript, note }
}

describe('a service that offers', () => {
  test.for(subsets)(
    '%s is worked with, and has all of it once it takes the rest',
    { timeout: 60_000 },
    async ([, capabilities]) => {
      const { open, service, start } = await setUpTen({ capabilities: [...capabilities] })
      const { client, session, consent, transcript, note } = await workThrough(open)
      await open.core.close()

      service.offer(everything)
      const again = await start()
      await again.until(async () => (await again.call('service.offers', {})).waiting.length === 0)
      await again.call('outbox.retry', {})
      await again.settled()
      expect(await again.call('outbox.list', {})).toEqual([])
      const { inside } = service
      expect((await inside.call('getClient', { params: { id: client.id } })).data.phone).toBe('5550100')
      expect((await inside.call('getSession', { params: { id: session.id } })).data.status).toBe('completed')
      const consents = (await inside.call('listConsents', { query: { client_id: client.id } })).data.data
      expect(consents.find(({ id }) => id === consent.id)?.revoked_at).not.toBeNull()
      expect(consents).toHaveLength(2)
      expect((await inside.call('getTranscript', { params: { id: transcript.id } })).data.segments).toHaveLength(8)
      if (note === null) return
      const signed = (await inside.call('getNote', { params: { id: note.id } })).data
      expect(signed.signature).not.toBeNull()
      expect(signed.addenda).toHaveLength(1)
    },
  )
})
