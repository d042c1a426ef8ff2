import { AppError, type ErrorCode } from '#contract/errors.ts'
import type { Client } from '#contract/model/client.ts'
import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { newId } from '#base/ids.ts'
import { allOf, textOf, textsOf, wordsOf } from './records.ts'
import { type Act, oneOf } from './world.ts'

type OfSession = Transcript | Note

/** Nothing of it is erased then, and whoever keeps the records is told why. */
const refusals: ReadonlySet<ErrorCode> = new Set(['legal-hold', 'not-yet-due', 'conflict'])

/** What whoever keeps a practice's records lets go of, and what keeps them from it. Nobody does for a laptop of its own. */
export const practiceDoings = {
  async 'erase.words'(act: Act): Promise<void> {
    const one = oneOf(await inOrder<Transcript>(act, 'listTranscripts'), act.step.which)
    if (one !== null) await erase(act, 'transcript', one)
  },
  async 'erase.note'(act: Act): Promise<void> {
    const notes = await inOrder<Note>(act, 'listNotes')
    const one = oneOf(
      notes.filter(({ signature }) => signature !== null),
      act.step.which,
    )
    if (one !== null) await erase(act, 'note', one)
  },
  async rule({ world: { practice }, step }: Act): Promise<void> {
    if (practice.sweep === null) return
    const { version } = (await practice.owner.call('getRetention', {})).data
    const transcript_days = ([0, 1, 7, 30, null] as const)[step.what % 5]!
    await practice.owner.call('putRetention', { body: { transcript_days, note_years: 1 }, ifMatch: version })
  },
  async sweep(act: Act): Promise<void> {
    const before = await inOrder<Transcript>(act, 'listTranscripts')
    await act.world.practice.sweep?.()
    const left = new Set((await inOrder<Transcript>(act, 'listTranscripts')).map(({ id }) => id))
    for (const transcript of before) if (!left.has(transcript.id)) await erased(act, 'transcript', transcript)
  },
  async hold({ world: { practice }, ledger, step }: Act): Promise<void> {
    if (practice.sweep === null) return
    const order = [...ledger.made.keys()]
    const clients = (await allOf<Client>(practice.owner, 'listClients')).map(({ id }) => id)
    const known = clients.filter((id) => order.includes(id)).toSorted((one, other) => order.indexOf(one) - order.indexOf(other))
    const client_id = step.what % 4 === 0 ? null : oneOf(known, step.which)
    const id = newId()
    await practice.owner.call('placeLegalHold', { body: { id, client_id, reason: 'asked by a court' } })
    ledger.holds.set(id, client_id)
  },
  async 'hold.release'({ world: { practice }, ledger, step }: Act): Promise<void> {
    const id = oneOf([...ledger.holds.keys()], step.which)
    if (id === null) return
    await practice.owner.call('releaseLegalHold', { params: { id } })
    ledger.holds.delete(id)
  },
}

/** Once all is still, so that what is read is what is erased; in the order in which their sessions were made. */
async function inOrder<Kept extends OfSession>(
  { world: { time, practice }, ledger }: Act,
  list: 'listTranscripts' | 'listNotes',
): Promise<Kept[]> {
  if (practice.sweep === null) return []
  await time.quiet()
  const order = [...ledger.made.keys()]
  const place = ({ session_id }: Kept): number => order.indexOf(session_id ?? '')
  const all = (await allOf<Kept>(practice.owner, list)).filter((one) => place(one) !== -1)
  return all.toSorted((one, other) => place(one) - place(other) || one.created_at.localeCompare(other.created_at))
}

async function erase(act: Act, kind: 'transcript' | 'note', record: OfSession): Promise<void> {
  const body = { record_kind: kind, record_id: record.id, reason: 'asked for' } as const
  try {
    await act.world.practice.owner.call('eraseRecord', { body })
  } catch (error) {
    if (error instanceof AppError && refusals.has(error.code)) return
    throw error
  }
  await erased(act, kind, record)
}

async function erased({ world, ledger }: Act, kind: 'transcript' | 'note', record: OfSession): Promise<void> {
  const session_id = record.session_id!
  if (kind === 'transcript') ledger.gone(`session ${session_id} words`, wordsOf(record as Transcript))
  else ledger.gone(`session ${session_id} note`, textOf(record as Note))
  ledger.erased.set(`${kind} ${record.id}`, { session: session_id, texts: textsOf(record) })
  const { client_id } = (await world.practice.owner.call('getSession', { params: { id: session_id } })).data as Session
  const holds = [...ledger.holds.values()]
  if (holds.includes(null) || holds.includes(client_id)) throw new Error(`${kind} ${record.id} was erased under a legal hold`)
}
