import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Note, Statement } from '#contract/model/note.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { insertClient } from '#service/store/clients.ts'
import { ensurePractice } from '#service/store/practices.ts'
import { inPractice } from '#service/store/in-practice.ts'
import { keepVersion, pageOfVersions, insertNote } from '#service/store/notes.ts'
import { openStore } from '#service/store/open-store.ts'
import { listPsychotherapyNotes, putPsychotherapyNote } from '#service/store/psychotherapy-notes.ts'
import type { Page } from '#service/store/records.ts'
import { newRecord } from '#service/store/records.ts'
import type { Database, Write } from '#service/store/tables.ts'
import { insertTranscript, listTranscripts } from '#service/store/transcripts.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { aClient, anId, openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'
import type { StoreKind } from '../store-kit.ts'
import { freshStore } from '../store-kit.ts'
import { aClientRecord } from '../store/records-kit.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const MiB = 2 ** 20
/** What a page may come to beside its bodies, and what sealing adds to them. */
const slack = 64 * 1024
const [records, bytesEach] = isFull ? [45, 15 * MiB] : [5, 1.5 * MiB]
const perPage = Math.max(1, Math.floor((4 * MiB) / bytesEach))

const noPostgres = leftOut('the store on PostgreSQL', await unmet('postgres'))
const stores: StoreKind[] = noPostgres ? ['sqlite'] : ['sqlite', 'postgres']

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 5, 9, minute)).toISOString()
const words = (bytes: number): string => 'word '.repeat(Math.ceil(bytes / 5)).slice(0, bytes)

function transcriptOf(bytes: number, minute = 0): Transcript {
  const segment = { speaker_id: null, start_ms: null, end_ms: null, confidence: null, edited: false }
  const segments = Array.from({ length: Math.floor(bytes / 16_000) }, (_, index) => ({
    ...segment,
    id: `s${index}`,
    text: words(15_880),
  }))
  const engine = { name: 'test', version: '1', model: null }
  return { ...newRecord(anId(), at(minute)), session_id: null, language: 'en', duration_ms: null, speakers: [], segments, engine }
}

function noteOf(bytes: number): Note {
  const bare = { support: 'clinician_entered', origin: 'person', finding: null, safety: false, confirmed_at: null } as const
  const statements = Array.from({ length: Math.floor(bytes / 4_200) }, (_, index): Statement => ({
    ...bare,
    id: `st${index}`,
    text: words(3_999),
    evidence: [],
  }))
  return {
    ...newRecord(anId(), at(0)),
    session_id: null,
    client_id: null,
    template: 'soap',
    sections: Array.from({ length: Math.ceil(statements.length / 500) }, (_, index) => ({
      key: `k${index}`,
      title: 'S',
      statements: statements.slice(index * 500, (index + 1) * 500),
    })),
    unsupported: [],
    omissions: [],
    checks: [],
    engine: { name: 'test', version: '1', model: null },
    status: 'draft',
    signature: null,
    addenda: [],
  }
}

/** All pages, with the largest number of bytes that one call had the store hand over. */
async function walk<Item>(db: Database, list: (read: Database, cursor: string | undefined) => Promise<Page<Item>>) {
  const pages: Page<Item>[] = []
  let most = 0
  let cursor: string | undefined
  do {
    let read = 0
    const counting = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        for (const row of result.rows)
          for (const value of Object.values(row))
            if (typeof value === 'string' || value instanceof Uint8Array) read += value.length
        return result
      },
    })
    const page = await list(counting, cursor)
    pages.push(page)
    most = Math.max(most, read)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return { pages, most }
}

describe.each(stores)('a page on %s', (kind) => {
  const practice = anId()
  const person = anId()
  let db: Database
  let close: () => Promise<void>
  const write = <Result>(work: (into: Write) => Promise<Result>) => inPractice(db, practice, work)
  const transcripts = Array.from({ length: records }, (_, index) => transcriptOf(bytesEach, index))

  beforeAll(async () => {
    const own = await freshStore(kind)
    db = await openStore(own.options)
    close = async () => {
      await db.destroy()
      await own.remove()
    }
    await write((into) => ensurePractice(into, practice, 'Practice', 'free', at(0)))
    for (const transcript of transcripts) await write((into) => insertTranscript(into, practice, transcript, person))
  })
  afterAll(() => close())

  test.each([
    ['in the order of creation', {}],
    ['in the order of change', { updated_since: at(0) }],
  ])('of transcripts %s ends at 4 MiB, and a walk over all pages has each once', async (_, query) => {
    const { pages, most } = await write((read) =>
      walk(read, (counting, cursor) => listTranscripts(counting, practice, { limit: 200, cursor, ...query })),
    )
    expect(pages.map(({ data }) => data.length)).toEqual([
      ...Array.from({ length: Math.ceil(records / perPage) - 1 }, () => perPage),
      records % perPage || perPage,
    ])
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(transcripts.map(({ id }) => id))
    expect(most).toBeLessThan(Math.max(4 * MiB, bytesEach) + slack)
  })

  test('whose records are all erased while it is read is empty, and the walk goes on', async () => {
    const erased = (read: Database) =>
      read.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => (result.rows.some((row) => 'body' in row) ? { ...result, rows: [] } : result),
      })
    const list = (read: Database, cursor?: string) => listTranscripts(read, practice, { limit: 2, cursor })
    const pages = await write(async (read) => {
      const first = await list(erased(read))
      return [first, await list(read, first.next_cursor ?? 'none')]
    })
    expect(pages.map(({ data }) => data.map(({ id }) => id))).toEqual([
      [],
      transcripts.slice(perPage, 2 * perPage).map(({ id }) => id),
    ])
  })

  test('of one record that is larger than a page has it alone', async () => {
    const large = transcriptOf(5 * MiB, 200)
    const small = transcriptOf(16_000, 201)
    for (const transcript of [large, small]) await write((into) => insertTranscript(into, practice, transcript, person))
    const { pages } = await write((read) =>
      walk(read, (counting, cursor) => listTranscripts(counting, practice, { limit: 200, cursor, updated_since: at(199) })),
    )
    expect(pages.map(({ data }) => data.map(({ id }) => id))).toEqual([[large.id], [small.id]])
  })

  test('of psychotherapy notes ends at 4 MiB too', async () => {
    const key = new Uint8Array(32).fill(7)
    const client = aClientRecord()
    await write((into) => insertClient(into, practice, client))
    const client_id = client.id
    const text = 'ü'.repeat(100_000)
    for (let index = 0; index < 25; index += 1) {
      const note = {
        ...newRecord(anId(), at(index)),
        client_id,
        session_id: null,
        kind: 'psychotherapy',
        author_id: person,
        text,
      } as const
      await write((into) => putPsychotherapyNote(into, key, practice, note))
    }
    const { pages, most } = await write((read) =>
      walk(read, (counting, cursor) =>
        listPsychotherapyNotes(counting, key, { practice, person }, { client_id, limit: 200, cursor }),
      ),
    )
    expect(pages.map(({ data }) => data.length)).toEqual([20, 5])
    expect(most).toBeLessThan(4 * MiB + slack)
  })

  test('of the kept versions of a note ends at 4 MiB too', async () => {
    const note = noteOf(1.5 * MiB)
    await write((into) => insertNote(into, practice, note, person))
    for (let version = 1; version <= 5; version += 1)
      await write((into) => keepVersion(into, practice, { ...note, version }, at(version)))
    const { pages, most } = await write((read) =>
      walk(read, (counting, cursor) => pageOfVersions(counting, practice, note.id, { limit: 200, cursor })),
    )
    expect(pages.map(({ data }) => data.map(({ version }) => version))).toEqual([[1, 2], [3, 4], [5]])
    expect(most).toBeLessThan(4 * MiB + slack)
  })
})

describe('over HTTP', () => {
  let kit: ServiceKit
  beforeAll(async () => {
    kit = await openKit()
  })
  afterAll(() => kit.close())

  test('a list ends a page early and says where it goes on', async () => {
    const client = await aClient(kit.client)
    for (let index = 0; index < 5; index += 1) {
      const { id, created_at: _c, updated_at: _u, version: _v, ...note } = noteOf(MiB - slack)
      expect((await kit.fetch('PUT', `/v1/notes/${id}`, { ...note, client_id: client.id })).status).toBe(201)
    }
    const first = await kit.fetch('GET', '/v1/notes?limit=200', undefined, { 'Purpose-Of-Use': 'TREAT' })
    const text = await first.text()
    expect(text.length).toBeLessThan(4 * MiB + slack)
    const page = JSON.parse(text) as Page<Note>
    // PostgreSQL stores a sealed note as longer text.
    expect([3, 4]).toContain(page.data.length)
    const rest = (await (await kit.fetch('GET', `/v1/notes?limit=200&cursor=${page.next_cursor}`)).json()) as Page<Note>
    expect([page.data.length + rest.data.length, rest.next_cursor]).toEqual([5, null])
  })

  test.each(['', ' 5', '5 ', '+5', '-1', '0', '201', '5.0', '1e1', '0x10', 'Infinity', '٥', '5&limit=6'])(
    'limit=%s is refused',
    async (limit) => {
      const response = await kit.fetch('GET', `/v1/clients?limit=${limit.startsWith('5&') ? limit : encodeURIComponent(limit)}`)
      expect([response.status, await response.json()]).toMatchObject([422, { errors: [{ pointer: '/limit' }] }])
    },
  )
})
