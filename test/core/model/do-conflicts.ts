import type { Conflict, ConflictChoice } from '#contract/bridge/conflicts.ts'
import { type Pending, textOf } from './ledger.ts'
import { sidesOf, textOf as shownText, textsOf, wordsOf } from './records.ts'
import { type Act, oneOf } from './world.ts'

type OfKind<Of, Kind> = Extract<Of, { readonly kind: Kind }>

const inYears = Date.UTC(2041, 0, 2)
const day = 86_400_000

export const conflictDoings = {
  async resolve(act: Act): Promise<void> {
    const conflict = oneOf(await conflictsOf(act), act.step.which)
    if (conflict !== null) await decide(act, conflict)
  },
}

/** In the order in which their records were made. */
export async function conflictsOf({ read, ledger }: Act): Promise<Conflict[]> {
  const order = [...ledger.made.keys()]
  const place = (conflict: Conflict): number => order.indexOf(conflict.session_id ?? conflict.client_id ?? '')
  return (await read('conflicts.list', {})).toSorted((one, other) => place(one) - place(other))
}

/** Whoever decides has seen both sides. */
export async function decide(act: Act, conflict: Conflict): Promise<void> {
  const choice = choiceFor(conflict, act.step.what, act.step.tag)
  const promised = sidesOf(conflict).map(([field, mine, theirs]): Pending => {
    const [kept, left] = keepsMine(choice, field) ? [mine, theirs] : [theirs, mine]
    const chosen = (): void => act.ledger.chosen(field, kept, left)
    return { sure: chosen, perhaps: chosen, refused: () => {} }
  })
  if (conflict.kind === 'booking' && choice.kind === 'booking') promised.push(bookedAnew(act, conflict, choice))
  if (conflict.kind === 'erased' && choice.kind === 'erased') promised.push(...(await letGo(act, conflict, choice.do)))
  // Of two notes the one that is chosen may be told anew, under an id of its own.
  if (conflict.kind === 'document' && conflict.session_id !== null)
    act.ledger.drafts.set(conflict.session_id, (act.ledger.drafts.get(conflict.session_id) ?? 0) + 1)
  const { id, version } = conflict
  const isDone = (await act.ask('conflicts.resolve', { id, version, choice }, promised)) !== null
  if (!isDone || conflict.kind !== 'document' || conflict.record !== 'note' || keepsMine(choice, '')) return
  act.ledger.signed.delete(conflict.mine.id)
  // With what was signed goes what was added to it: it was shown with it.
  const stays = new Set(conflict.theirs.addenda.map(({ text }) => text))
  for (const { text } of conflict.mine.addenda) if (!stays.has(text)) act.ledger.addenda.delete(text)
}

/** In place of what the question shows of the session, which its person may have moved by hand since it was refused. */
function bookedAnew(
  { edit }: Act,
  { session }: OfKind<Conflict, 'booking'>,
  { starts_at }: OfKind<ConflictChoice, 'booking'>,
): Pending {
  const field = `session ${session.id}`
  if (starts_at === null) return edit(`${field} status`, session.status, 'cancelled')
  return edit(`${field} starts_at`, session.starts_at, starts_at)
}

/** Erased at the service, with something here that nobody else has. */
async function letGo(
  { read, ledger, laptop }: Act,
  { record, session_id }: OfKind<Conflict, 'erased'>,
  what: 'keep' | 'erase',
): Promise<Pending[]> {
  if (session_id === null || (record !== 'transcript' && record !== 'note')) return []
  const { transcript } = await read('transcripts.get', { session_id })
  const { note } = await read('notes.get', { session_id })
  const document = record === 'transcript' ? transcript : note
  if (document === null) return []
  const [field, value] =
    record === 'transcript'
      ? [`session ${session_id} words`, wordsOf(transcript)]
      : [`session ${session_id} note`, shownText(note)]
  const key = `${record} ${document.id}`
  const texts = textsOf(document)
  const decided = (): void => {
    ledger.gone(field, value)
    ledger.kept.delete(`${laptop.name} ${key}`)
    if (what === 'erase') ledger.erased.get(key)?.texts.push(...texts)
    else ledger.kept.set(`${laptop.name} ${key}`, { field, value: textOf(value), texts })
  }
  return [{ sure: decided, perhaps: decided, refused: () => {} }]
}

function choiceFor(conflict: Conflict, what: number, tag: number): ConflictChoice {
  const side = (index: number) => ((what >> index) % 2 === 0 ? 'mine' : 'theirs')
  switch (conflict.kind) {
    case 'fields':
      return { kind: 'fields', sides: Object.fromEntries(conflict.fields.map(({ name }, index) => [name, side(index)])) }
    case 'document':
      return { kind: 'document', side: oneOf(conflict.choices, what)! }
    case 'erased':
      return { kind: 'erased', do: what % 2 === 0 ? 'keep' : 'erase' }
    case 'booking':
      return { kind: 'booking', starts_at: what % 3 === 0 ? null : new Date(inYears + tag * day).toISOString() }
  }
}

function keepsMine(choice: ConflictChoice, field: string): boolean {
  if (choice.kind === 'document') return choice.side === 'mine'
  return choice.kind === 'fields' && choice.sides[field.split(' ').at(-1)!] === 'mine'
}
