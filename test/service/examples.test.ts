import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { canonicalAddendum, canonicalNote } from '#domain/canonical-note.ts'
import type { Note } from '#contract/model/note.ts'
import { roles, type Route } from '#contract/rest/route.ts'
import { exampleIds as ids } from './example-ids.ts'
import { examples } from '#contract/rest/examples.ts'
import type { Example } from '#contract/rest/examples.ts'
import { type OperationId, routes } from '#contract/rest/routes.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import type { ScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { freshFolder, startAlone } from './alone-kit.ts'
import type { Alone } from './alone-kit.ts'
import { wavOf } from './sound.ts'

const file = resolve(import.meta.dirname, '../../src/contract/rest/example-answers.json')
/** With AFTERWORD_EXAMPLES=write the answers' examples are recorded anew. */
const isWriting = process.env['AFTERWORD_EXAMPLES'] === 'write'
const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
const recorded: Record<string, unknown> = {}

const data = freshFolder()
let speech: ScriptedSpeech
let service: Alone
const keys = { all: '', clinician: '', sandbox: '' }
/** What this run's service calls what the examples call so, both ways. */
const real = new Map<string, string>()

beforeAll(async () => {
  speech = await startScriptedSpeech([{ status: 200, body: JSON.stringify({ text: 'I wake at four.' }) }])
  service = await startAlone(data.data, { AFTERWORD_SPEECH_ADDRESS: speech.address, AFTERWORD_SPEECH_LANGUAGE: 'en' }, [
    '--plan',
    'enterprise',
  ])
  const me = await json('GET', '/me', undefined, service.ownerKey!)
  learn(ids.supervisor, String(me['person_id']))
  const make = async (body: object): Promise<string> =>
    String((await json('POST', '/api-keys', { name: 'k', ...body }, service.ownerKey!))['secret'])
  await json('POST', '/staff', { id: me['person_id'], name: 'Dana Reyes', roles }, service.ownerKey!)
  keys.all = await make({ roles })
  keys.sandbox = await make({ roles: ['owner'], mode: 'test' })
})
afterAll(async () => {
  await service.stop('SIGKILL')
  await speech.close()
  data.remove()
})

function learn(example: string, value: string): void {
  real.set(example, value)
}
const toReal = (text: string): string => [...real].reduce((all, [example, value]) => all.replaceAll(example, value), text)
const toExample = (text: string): string => [...real].reduce((all, [example, value]) => all.replaceAll(value, example), text)

async function json(method: string, path: string, body?: unknown, key = keys.all, headers: Record<string, string> = {}) {
  const answer = await send(method, path, body, key, headers)
  const said = (await answer.json()) as Record<string, unknown>
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(said)}`)
  return said
}

function send(method: string, path: string, body: unknown, key: string, headers: Record<string, string> = {}) {
  const bytes = body instanceof Uint8Array
  return fetch(`${service.address}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body === undefined || bytes ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: bytes ? new Uint8Array(body) : JSON.stringify(body) }),
  })
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const audio = Buffer.from(wavOf(1), 'base64')

async function upload(example: string): Promise<void> {
  const tus = { 'Tus-Resumable': '1.0.0' }
  const made = await send('POST', '/uploads', undefined, keys.all, {
    ...tus,
    'Upload-Length': String(audio.length),
    'Upload-Metadata': toReal(`session_id ${Buffer.from(ids.session).toString('base64')}`),
  })
  const id = made.headers.get('location')!.split('/').at(-1)!
  learn(example, id)
  await send('PATCH', `/uploads/${id}`, audio, keys.all, {
    ...tus,
    'Upload-Offset': '0',
    'Content-Type': 'application/offset+octet-stream',
  })
}

async function signed(id: string, key: string): Promise<void> {
  const note = (await json('GET', `/notes/${id}`, undefined, key)) as unknown as Note
  const body = { ...examples.signNote.body!, content_hash: sha256(canonicalNote(note)) }
  await json('POST', `/notes/${id}/sign`, body, key, { 'If-Match': `"${note.version}"` })
}

async function hashOf(example: string, key = keys.all): Promise<string> {
  return sha256(canonicalNote((await json('GET', `/notes/${toReal(example)}`, undefined, key)) as unknown as Note))
}

/** What has to be there first, beyond the examples before. */
const before: Partial<Record<OperationId, () => Promise<void>>> = {
  transcribeWithSpeakers: () => upload(ids.secondUpload),
  cancelOperation: async () => {
    const operation = await json(
      'POST',
      '/ai/generate-note',
      JSON.parse(toReal(JSON.stringify(examples.generateNote.body))),
      keys.all,
      {
        Prefer: 'respond-async',
      },
    )
    learn(ids.operation, String(operation['id']))
  },
  getOperation: async () => {
    const operation = await json('POST', '/ai/analyze', JSON.parse(toReal(JSON.stringify(examples.analyze.body))), keys.all, {
      Prefer: 'respond-async',
    })
    learn(ids.operation, String(operation['id']))
  },
  signNote: async () => learn(examples.signNote.body!.content_hash, await hashOf(ids.note)),
  addAddendum: async () => {
    const { content_hash, ...addendum } = examples.addAddendum.body!
    learn(content_hash, sha256(canonicalAddendum(addendum, real.get(examples.signNote.body!.content_hash)!)))
  },
  returnNote: async () => {
    keys.clinician = String(
      (await json('POST', '/api-keys', { name: 'c', roles: ['clinician'], person_id: ids.clinician }, service.ownerKey!))[
        'secret'
      ],
    )
    const client = await json('POST', '/clients', { display_name: 'Ben' }, keys.clinician)
    const body = { ...examples.generateNoteFromData.body!, client_id: client['id'] }
    const note = await json('POST', '/notes/generate', body, keys.clinician)
    learn(ids.cosignedNote, String(note['id']))
    await signed(String(note['id']), keys.clinician)
  },
  cosignNote: async () => {
    await signed(toReal(ids.cosignedNote), keys.clinician)
    learn(examples.cosignNote.body!.content_hash, await hashOf(ids.cosignedNote))
  },
  updateFollowing: async () => {
    await json('POST', '/sessions', {
      id: ids.series,
      client_id: ids.client,
      session_type: 'individual',
      starts_at: '2027-01-05T16:00:00Z',
      duration_minutes: 50,
      time_zone: 'America/Chicago',
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2', exdates: [], wall_start: '2027-01-05T10:00:00' },
    })
  },
  endUpload: () => upload(ids.secondUpload),
}
/** Ids that the service makes, learned from the answer. */
const made: Partial<Record<OperationId, string>> = {
  transcribe: ids.transcript,
  generateNote: ids.note,
  generateNoteFromData: ids.dataNote,
  analyze: ids.analysis,
  createApiKey: ids.apiKey,
}
/** Operations that a service alone refuses: they need the machine of the app, or models that are not installed. */
const refusedAlone: Partial<Record<OperationId, number>> = {
  createUpload: 404,
  putVoice: 503,
  installModel: 403,
  importModels: 403,
  chooseModel: 403,
  testModel: 403,
  removeModel: 403,
}
const keyFor: Partial<Record<OperationId, () => string>> = {
  verifyInsurance: () => keys.sandbox,
  listCoverage: () => keys.sandbox,
  getCoverage: () => keys.sandbox,
  getRawCoverage: () => keys.sandbox,
  breakGlass: () => keys.clinician,
}

/** Lists are cut to their first entry, secrets and ids of no example to fixed ones. */
function tidied(value: unknown): unknown {
  let fresh = 0
  const seen = new Map<string, string>()
  const known = new Set<string>(Object.values(ids))
  const text = toExample(JSON.stringify(value))
    .replaceAll(/aw_(live|test)_[0-9A-Za-z_]+/g, 'aw_$1_...')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      if (known.has(id)) return id
      if (!seen.has(id)) seen.set(id, `0199b2a7-0000-7000-8000-${String((fresh += 1)).padStart(12, '0')}`)
      return seen.get(id)!
    })
  return JSON.parse(text, (_key, each: unknown) => (Array.isArray(each) ? each.slice(0, 1) : each))
}

/** The names and kinds of values; null fits anything. */
function differs(example: unknown, actual: unknown, path = ''): string[] {
  if (example === null || actual === null) return []
  if (Array.isArray(example) && Array.isArray(actual))
    return example.length === 0 || actual.length === 0 ? [] : differs(example[0], actual[0], `${path}/0`)
  if (typeof example !== typeof actual || Array.isArray(example) !== Array.isArray(actual)) return [path]
  if (typeof example !== 'object') return []
  const [one, other] = [example as Record<string, unknown>, actual as Record<string, unknown>]
  return Object.keys(one).flatMap((name) =>
    name in other ? differs(one[name], other[name], `${path}/${name}`) : [`${path}/${name}`],
  )
}

test.each(Object.entries(examples) as [OperationId, Example][])(
  '%s: the example is taken, and its answer is as shown',
  async (id, example) => {
    const route: Route = routes[id]
    await before[id]?.()
    const path = toReal((route.path === '/' ? '' : route.path).replace('{id}', example.id ?? '') + (example.query ?? ''))
    const body =
      id === 'sendUpload' ? audio : example.body === undefined ? undefined : JSON.parse(toReal(JSON.stringify(example.body)))
    const headers = JSON.parse(toReal(JSON.stringify(example.headers ?? {}))) as Record<string, string>
    const answer = await send(route.method, path, body, keyFor[id]?.() ?? keys.all, headers)
    const text = await answer.text()
    if (refusedAlone[id] !== undefined) {
      expect(answer.status, text).toBe(refusedAlone[id])
      expect(Object.values(route.answers)[0]!.safeParse(kept[id]).error).toBeUndefined()
      return
    }
    expect(Object.keys(route.answers), text).toContain(String(answer.status))
    if (id === 'beginUpload') learn(ids.upload, answer.headers.get('location')!.split('/').at(-1)!)
    const schema = route.answers[answer.status]
    if (schema === null || schema === undefined) return
    // Of a stream of events, the last one.
    const said: unknown = text.startsWith('{') ? JSON.parse(text) : JSON.parse(/data: (.*)\n/.exec(text)![1]!)
    const learned = made[id]
    if (learned !== undefined) learn(learned, String((said as { id: string }).id))
    if (id === 'verifyInsurance') learn(ids.coverage, String((said as { eligibility_id: string }).eligibility_id))
    recorded[id] = tidied(said)
    if (isWriting) return
    expect(schema.safeParse(kept[id]).error).toBeUndefined()
    expect(differs(kept[id], recorded[id])).toEqual([])
  },
)

test('every answer with a body has an example', () => {
  if (isWriting) writeFileSync(file, `${JSON.stringify({ ...kept, ...recorded }, null, 1)}\n`)
  const operations = Object.entries(routes as Record<string, Route>)
  const withBody = operations
    .filter(([, { answers }]) => Object.values(answers).some((schema) => schema !== null))
    .map(([id]) => id)
  expect(withBody.filter((id) => !(id in (isWriting ? { ...kept, ...recorded } : kept)))).toEqual([])
})
