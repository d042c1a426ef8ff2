import { expect, onTestFinished } from 'vitest'
import { type Clock, systemClock } from '#base/clock.ts'
import type { MovingState } from '#contract/bridge/moving.ts'
import type { ServiceClient } from '#client/client.ts'
import type { CorePorts } from '#core/app/open-core.ts'
import { clientWithSession, coreKit, createProfile, dialogue, type CoreKit, type OpenCore } from '../core-kit.ts'
import { looked } from '../looked.ts'

/** A laptop with the service inside it, and the way to others. */
export interface Laptop {
  readonly kit: CoreKit
  opened: OpenCore
  /** Ends as if its process had been killed, and begins again. */
  reopen(overrides?: Partial<CorePorts>): Promise<void>
  moved(): Promise<MovingState>
  until(holds: (state: MovingState) => boolean): Promise<MovingState>
}

export async function openLaptop(options: { clock?: Clock; fetch?: typeof fetch } & Partial<CorePorts> = {}): Promise<Laptop> {
  const { clock = systemClock, ...overrides } = options
  const kit = coreKit({ clock })
  const opened = await kit.open({ fetch, ...overrides })
  await createProfile(opened)
  onTestFinished(async () => {
    await laptop.opened.core.close()
    kit.remove()
  })
  const laptop: Laptop = {
    kit,
    opened,
    async reopen(more = {}) {
      await laptop.opened.core.close()
      laptop.opened = await kit.open({ fetch, ...overrides, ...more })
    },
    moved: () => laptop.opened.call('moving.state', {}),
    async until(holds) {
      let state = await laptop.moved()
      await laptop.opened
        .until(async () => holds((state = await laptop.moved())))
        .catch(() => {
          throw new Error(`the move stands at ${JSON.stringify(state)}`)
        })
      return state
    },
  }
  return laptop
}

/** Somebody's whole work: agreements, one of them taken back, words, a signed note with an addendum, a draft, a form. */
export async function someWork(opened: OpenCore, name = 'Marisol Vega') {
  const { client, session, consent } = await clientWithSession(opened, name)
  await opened.call('clients.update', { id: client.id, version: 1, patch: { pronouns: 'she/her', phone: '5550100' } })
  const form = await opened.call('templates.save', {
    id: null,
    version: null,
    name: `Form for ${name}`,
    sections: [{ key: 'said', title: 'Said', holds: ['said'], when_empty: 'not_stated' }],
    style: { length: 'short', client_as: 'client' },
  })
  const content = new TextEncoder().encode(dialogue)
  await opened.call('transcripts.import', { session_id: session.id, file_name: 'a.txt', content })
  await opened.call('notes.draft', { session_id: session.id, template: 'soap' })
  await opened.settled()
  const draft = (await opened.call('notes.get', { session_id: session.id })).note!
  const checked = await opened.call('notes.save', { id: draft.id, version: draft.version, ...looked(draft) })
  await opened.call('notes.sign', { id: draft.id, version: checked.version })
  await opened.call('notes.addAddendum', { id: draft.id, text: 'She called the day after.', reason: 'Addition' })
  const second = await clientWithSession(opened, `${name} and partner`)
  await opened.call('consents.revoke', { id: second.consent.id })
  await opened.call('notes.draft', { session_id: second.session.id, template: `own:${form.id}` })
  await opened.settled()
  return { client, session, consent, form, note_id: draft.id, second }
}

const timeless = <Item extends { created_at: string; updated_at: string; version: number }>(items: readonly Item[]) =>
  items.map(({ created_at: _made, updated_at: _changed, version: _version, ...fields }) => fields)

type Listing = 'listClients' | 'listSessions' | 'listConsents' | 'listTranscripts' | 'listNotes' | 'listTemplates'
type Kept = Record<Listing, Map<string, object>>

async function allOf(client: ServiceClient, operation: Listing): Promise<Map<string, object>> {
  const found = new Map<string, object>()
  let cursor: string | null = null
  do {
    const query: object = { limit: 200, ...(cursor === null ? {} : { cursor }) }
    const { data } = await client.call(operation, { query })
    const items = data.data as { id: string; created_at: string; updated_at: string; version: number }[]
    for (const [index, fields] of timeless(items).entries()) found.set(items[index]!.id, fields)
    cursor = data.next_cursor
  } while (cursor !== null)
  return found
}

export async function keptBy(client: ServiceClient): Promise<Kept> {
  const operations: Listing[] = ['listClients', 'listSessions', 'listConsents', 'listTranscripts', 'listNotes', 'listTemplates']
  const found: Partial<Kept> = {}
  for (const operation of operations) found[operation] = await allOf(client, operation)
  return found as Kept
}

interface Standing {
  readonly clinician_id?: string | null
  readonly signed_by?: string
}

/** The same records in both, but for whose they are and who vouches: that is the practice's to say. */
export function expectSame(there: Kept, here: Kept, whose: { person: string; therapist: string }): void {
  for (const [operation, kept] of Object.entries(here)) {
    const found = there[operation as Listing]
    expect([operation, [...found.keys()].toSorted()]).toEqual([operation, [...kept.keys()].toSorted()])
    for (const [id, record] of kept) {
      const { signed_by: _there, clinician_id: to, ...mine } = found.get(id) as Standing
      const { signed_by: _here, clinician_id: from, ...theirs } = record as Standing
      expect(mine).toEqual(theirs)
      if (from !== undefined) expect(to).toBe(from === null || from === whose.therapist ? whose.person : from)
    }
  }
}

/** Somebody with a session, of whom the service inside knows. */
export async function aClient(opened: OpenCore) {
  const made = await clientWithSession(opened, 'Marisol Vega')
  await opened.settled()
  return made
}

export const codes = ({ look }: MovingState) => look?.problems.map(({ code, blocking }) => (blocking ? `${code}!` : code))
