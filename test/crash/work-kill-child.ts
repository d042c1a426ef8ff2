/**
 * `node work-kill-child.ts`: reads one line of JSON (`Orders`), opens the profile, compares it with its ledger, then works
 * until it is killed. Writes a letter for each thing it begins, so that the last one says what a kill fell into.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { exit, stdin } from 'node:process'
import { createInterface } from 'node:readline/promises'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '#contract/errors.ts'
import type { Note } from '#contract/model/note.ts'
import { clientWithSession, coreKit, createProfile, dialogue } from '#test/core/core-kit.ts'
import { fileKeychain } from '#test/core/file-keychain.ts'
import { looked } from '#test/core/looked.ts'
import { format, recordOf } from '#test/core/recordings/recording-kit.ts'
import { textOf } from './damage-profile.ts'
import { seededRandom } from './seeded-random.ts'
import { type Activity, BOOTED, LETTERS, type Orders } from './work-kill-life.ts'
import { ANYTHING, workLedger } from './work-ledger.ts'

writeSync(1, BOOTED)
const { value: line } = await createInterface({ input: stdin })[Symbol.asyncIterator]().next()
if (line === undefined) exit(0)
const { folder, seed, mode, aim } = JSON.parse(line) as Orders
const MOST_SESSIONS = 20
const { random } = seededRandom(seed)
const below = (count: number): number => Math.floor(random() * count)
const oneOf = <Item>(items: readonly Item[]): Item | undefined => items[below(items.length)]

const begin = (activity: Activity | 'nothing'): void => void writeSync(1, LETTERS[activity])
async function during<Result>(activity: Activity, work: () => Promise<Result>): Promise<Result> {
  begin(activity)
  const result = await work()
  begin('nothing')
  return result
}

const ledger = workLedger(folder)
begin('opening')
const kit = coreKit({ folder: join(folder, 'profile') })
const open = await kit.open({ keychain: fileKeychain(join(folder, 'keychain.json')) })
if (open.core.state().phase === 'first_run') {
  await createProfile(open)
  await open.call('settings.update', { transcribe_when_finished: false })
}
if (mode === 'open') {
  if (open.core.state().phase === 'ready') await open.settled()
  begin('nothing')
  await open.core.close()
  exit(0)
}
if (open.core.state().phase !== 'ready') throw new Error(`the records are not open: ${JSON.stringify(open.core.state())}`)
begin('nothing')
const lost = await ledger.lost(open)
if (lost.length > 0) throw new Error(lost.join('\n'))

/** What leads to a kill in each activity, with what it needs before. */
const AIMS: Partial<Record<Activity, readonly string[]>> = {
  recording: ['book', 'record'],
  signing: ['book', 'draft', 'sign', 'addendum'],
  importing: ['book', 'importWords'],
  drafting: ['book', 'draft'],
  deleting: ['book', 'record', 'erase', 'form'],
  locking: ['lock'],
}

let tag = seed * 1000
const sessions = () => open.call('sessions.list', {})
const noteOf = async (isWanted: (note: Note) => boolean): Promise<Note | undefined> => {
  const notes: Note[] = []
  for (const { session } of await sessions()) {
    const { note } = await open.call('notes.get', { session_id: session.id })
    if (note !== null && isWanted(note)) notes.push(note)
  }
  return oneOf(notes)
}
const isUnsigned = (note: Note): boolean => note.signature === null

async function saved(note: Note, sections: Note['sections']): Promise<Note> {
  const { omissions } = looked(note)
  ledger.asked(`note ${note.session_id}`, textOf({ sections }))
  const save = { id: note.id, version: note.version, sections, omissions }
  const after = await during('editing', () => open.call('notes.save', save))
  ledger.done(`note ${note.session_id}`, textOf(after))
  return after
}

const doings: Record<string, () => Promise<void>> = {
  async book() {
    const all = await sessions()
    if (all.length >= MOST_SESSIONS) return
    const at = Date.UTC(2026, 0, 1 + all.length, 9)
    const { client, session } = await during('editing', () => clientWithSession(open, `Client ${tag}`, at))
    ledger.done(`phone ${client.id}`, '')
    ledger.done(`consent ${client.id}`, 'given')
    ledger.done(`session ${session.id}`, session.starts_at)
  },
  async phone() {
    const row = oneOf(await open.call('clients.list', {}))
    if (row === undefined) return
    const { id, version } = row.client
    ledger.asked(`phone ${id}`, `555${tag}`)
    await during('editing', () => open.call('clients.update', { id, version, patch: { phone: `555${tag}` } }))
    ledger.done(`phone ${id}`, `555${tag}`)
  },
  async importWords() {
    const session_id = oneOf(await sessions())?.session.id
    if (session_id === undefined) return
    const text = `${dialogue}\nClient: That is ${tag}.`
    const words = text.replaceAll(/^\w+: /gm, '')
    const content = new TextEncoder().encode(text)
    ledger.asked(`words ${session_id}`, words)
    await during('importing', () => open.call('transcripts.import', { session_id, file_name: 'a.txt', content }))
    ledger.done(`words ${session_id}`, words)
  },
  async draft() {
    const without = oneOf((await sessions()).filter(({ note, note_work }) => note === null && note_work.state === 'idle'))
    if (without === undefined) return
    const session_id = without.session.id
    ledger.asked(`note ${session_id}`, ANYTHING)
    await during('drafting', async () => {
      await open.call('notes.draft', { session_id, template: 'soap' })
      await open.settled()
    })
    const { note } = await open.call('notes.get', { session_id })
    if (note !== null) ledger.done(`note ${session_id}`, textOf(note))
  },
  async edit() {
    const note = await noteOf(isUnsigned)
    if (note === undefined) return
    const { sections } = looked(note)
    const at = sections.findIndex(({ statements }) => statements.length > 0)
    if (at === -1) return
    const [first, ...rest] = sections[at]!.statements
    const own: NonNullable<typeof first> = {
      ...first!,
      text: `Written ${tag}.`,
      evidence: [],
      support: 'clinician_entered',
      origin: 'person',
    }
    await saved(note, sections.with(at, { ...sections[at]!, statements: [own, ...rest] }))
  },
  async sign() {
    const note = await noteOf(isUnsigned)
    if (note === undefined) return
    const { id, version, session_id } = await saved(note, looked(note).sections)
    const { signature } = await during('signing', () => open.call('notes.sign', { id, version }))
    ledger.done(`signed ${session_id}`, signature!.content_hash)
  },
  async addendum() {
    const note = await noteOf((one) => !isUnsigned(one))
    if (note === undefined) return
    const added = { id: note.id, text: `Added-${tag}`, reason: 'Addition' }
    await during('signing', () => open.call('notes.addAddendum', added))
    ledger.done(`addendum ${note.session_id} Added-${tag}`, 'there')
  },
  async record() {
    const running = await open.call('recordings.active', {})
    for (const { recording } of [...(await open.call('recordings.recoverable', {})), ...(running === null ? [] : [running])])
      await open.call('recordings.finish', { recording_id: recording.id })
    const session_id = oneOf((await sessions()).filter(({ recording }) => recording === null))?.session.id
    if (session_id === undefined) return
    begin('recording')
    const { recording_id } = await open.call('recordings.start', { session_id, window_id: 'window-1', format, device_label: '' })
    const records = 5 + below(15)
    for (let sequence = 0; sequence < records; sequence += 1) {
      kit.append.append({ recording_id, ...recordOf(sequence) })
      ledger.done(`sound ${session_id}`, String(sequence + 1))
    }
    if (random() < 0.7) await open.call('recordings.finish', { recording_id })
    begin('nothing')
  },
  async erase() {
    const finished = oneOf((await sessions()).filter(({ recording }) => recording?.state === 'finished'))
    if (finished === undefined) return
    const subject = `sound ${finished.session.id}`
    ledger.asked(subject, 'erased')
    await during('deleting', () => open.call('recordings.erase', { recording_id: finished.recording!.id }))
    ledger.done(subject, 'erased')
  },
  async revoke() {
    const client_id = oneOf(await open.call('clients.list', {}))?.client.id
    if (client_id === undefined || random() < 0.7) return
    const given = (await open.call('consents.list', { client_id })).find(({ revoked_at }) => revoked_at === null)
    if (given === undefined) return
    ledger.asked(`consent ${client_id}`, 'revoked')
    await during('editing', () => open.call('consents.revoke', { id: given.id }))
    ledger.done(`consent ${client_id}`, 'revoked')
  },
  async form() {
    const old = oneOf(await open.call('templates.list', {}))
    if (old !== undefined && random() < 0.5) {
      ledger.asked(`form ${old.id}`, 'removed')
      await during('deleting', () => open.call('templates.remove', { id: old.id }))
      ledger.done(`form ${old.id}`, 'removed')
      return
    }
    const sections = [{ key: 'said', title: 'Said', holds: ['said' as const], when_empty: 'not_stated' as const }]
    const style = { length: 'short', client_as: 'client' } as const
    const form = { id: null, version: null, name: `Form ${tag}`, sections, style }
    const { id } = await during('editing', () => open.call('templates.save', form))
    ledger.done(`form ${id}`, 'there')
  },
  async lock() {
    await during('locking', async () => {
      await open.call('vault.lock', {})
      await open.call('vault.retry', {})
    })
  },
}

const names = Object.keys(doings)
const aimed = AIMS[aim] ?? names
for (;;) {
  tag += 1
  try {
    await doings[oneOf(random() < 0.5 ? aimed : names)!]!()
  } catch (error) {
    // Refused, e.g. without consent: nothing was acknowledged.
    if (!(error instanceof AppError) || error.code === 'internal') throw error
  }
  await setImmediate()
}
