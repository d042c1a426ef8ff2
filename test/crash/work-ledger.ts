/** What a core that is killed again and again said was done, in a file that outlives it, and whether it is still so. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordingPath } from '#contract/bridge/library.ts'
import { AppError } from '#contract/errors.ts'
import type { OpenCore } from '#test/core/core-kit.ts'
import { demux } from '#test/support/ogg-pages.ts'
import { textOf } from './damage-profile.ts'

/** `subject`: a word that says how it is read, and ids. `done`: it was acknowledged; before that it may be so or not. */
interface Entry {
  readonly subject: string
  readonly value: string
  readonly done: boolean
}

/** Any value: what was asked for is not known before it is done. */
export const ANYTHING = '*'

export interface WorkLedger {
  asked(subject: string, value: string): void
  done(subject: string, value: string): void
  /** Every subject that is neither as it was acknowledged nor as it was asked for since. */
  lost(open: OpenCore): Promise<string[]>
}

export function workLedger(folder: string): WorkLedger {
  const file = join(folder, 'ledger.jsonl')
  const write = (entry: Entry): void => appendFileSync(file, `${JSON.stringify(entry)}\n`)
  return {
    asked: (subject, value) => write({ subject, value, done: false }),
    done: (subject, value) => write({ subject, value, done: true }),
    async lost(open) {
      const lost: string[] = []
      for (const [subject, { sure, perhaps }] of standing(file)) {
        if (sure === null) continue
        const found = await read(open, subject)
        if (!isAs(subject, sure, found) && !perhaps.some((value) => value === ANYTHING || value === found))
          lost.push(`${subject}: ${sure} was acknowledged, found ${found}`)
      }
      return lost
    },
  }
}

function standing(file: string): Map<string, { sure: string | null; perhaps: string[] }> {
  const subjects = new Map<string, { sure: string | null; perhaps: string[] }>()
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  for (const line of lines) {
    const { subject, value, done } = JSON.parse(line) as Entry
    const before = subjects.get(subject) ?? { sure: null, perhaps: [] }
    subjects.set(subject, done ? { sure: value, perhaps: [] } : { ...before, perhaps: [...before.perhaps, value] })
  }
  return subjects
}

/** Of sound there may be more than was acknowledged. */
const isAs = (subject: string, sure: string, found: string): boolean =>
  sure === found || (subject.startsWith('sound') && sure !== 'erased' && Number(found) >= Number(sure))

async function read(open: OpenCore, subject: string): Promise<string> {
  const [kind = '', id = '', more = ''] = subject.split(' ')
  try {
    return await readers[kind]!(open, id, more)
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

const readers: Record<string, (open: OpenCore, id: string, more: string) => Promise<string>> = {
  phone: async (open, id) => (await open.call('clients.get', { id })).client.phone ?? '',
  async consent(open, client_id) {
    const given = await open.call('consents.list', { client_id })
    return given.map(({ revoked_at }) => (revoked_at === null ? 'given' : 'revoked')).join(' ')
  },
  session: async (open, id) => (await open.call('sessions.get', { id })).session.starts_at,
  async words(open, session_id) {
    const { transcript } = await open.call('transcripts.get', { session_id })
    return transcript?.segments.map(({ text }) => text).join('\n') ?? 'none'
  },
  async note(open, session_id) {
    const { note } = await open.call('notes.get', { session_id })
    if (note === null) return 'none'
    const isHalfSigned = note.signature !== null && !(await open.call('notes.verify', { id: note.id })).intact
    return isHalfSigned ? 'not intact' : textOf(note)
  },
  async signed(open, session_id) {
    const { note } = await open.call('notes.get', { session_id })
    return note?.signature?.content_hash ?? 'not signed'
  },
  async addendum(open, session_id, text) {
    const { note } = await open.call('notes.get', { session_id })
    return note?.addenda.some((addendum) => addendum.text === text) === true ? 'there' : 'missing'
  },
  async form(open, id) {
    return (await open.call('templates.list', {})).some((form) => form.id === id) ? 'there' : 'removed'
  },
  /** How many whole records of 200 ms are there from the beginning on, in order and nothing else. */
  async sound(open, session_id) {
    const recording = await open.call('recordings.get', { session_id })
    if (recording === null || recording.state === 'erased') return recording?.state ?? 'none'
    const response = await open.core.media(new Request(`http://localhost${recordingPath(recording.id)}`))
    if (!response.ok) return `answered ${response.status}`
    const packets = demux(Buffer.from(await response.arrayBuffer())).packets.slice(2)
    const isInOrder = packets.every((packet, index) => packet.readUInt32BE(1) === index)
    return isInOrder ? String(packets.length / 10) : 'other sound'
  },
}
