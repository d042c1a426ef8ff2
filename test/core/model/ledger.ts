/**
 * What people were told is done. Each field of each record is a history of values: a value came over the one its writer
 * saw. Nothing vanished as long as every value a person was told of stands, or was seen by whoever wrote over it.
 */
export interface Ledger {
  /** A value about to be written over another; `sure` once it was acknowledged, `refuse` where it was not taken. */
  edit(field: string, before: unknown, after: unknown): Pending
  /** Somebody saw both and chose. */
  chosen(field: string, kept: unknown, left: unknown): void
  /** It went with the record it stood in, knowingly. */
  gone(field: string, value: unknown): void
  /** Whether this value, as text, is among those shown, or was seen by whoever wrote over it. */
  reaches(field: string, shown: readonly unknown[], text: string): boolean
  /** Values that were acknowledged (by this laptop, or by any) and are neither there nor seen by whoever wrote over them. */
  lost(field: string, shown: readonly unknown[], by?: string): string[]
  readonly fields: Map<string, Map<string, Value>>
  /** Made and acknowledged: exactly once everywhere. */
  readonly made: Map<string, MadeKind>
  /** By which laptop. */
  readonly madeOn: Map<string, string>
  /** About to be made by a laptop that died: once, or not at all. */
  readonly perhapsMade: Set<string>
  readonly revoked: Set<string>
  /** Notes and the hash under their signature. */
  readonly signed: Map<string, string>
  readonly addenda: Map<string, string>
  /** How often a draft was asked for, by session: so many come of it at most. */
  readonly drafts: Map<string, number>
  /** Erased at the service, by kind and id: the words that stood in it there, or where somebody let it go. */
  readonly erased: Map<string, { session: string; texts: string[] }>
  /** What somebody kept of it all the same, by laptop, kind and id: the field it stands in, and as what. */
  readonly kept: Map<string, { field: string; value: string; texts: string[] }>
  /** Legal holds that stand, and the client of each; null: of everybody. */
  readonly holds: Map<string, string | null>
  /** Recordings that were finished, and the fingerprint of each; null: it was erased. An erasure cut off by a death may have happened. */
  readonly sounds: Map<string, { laptop: string; session: string; sha256: string | null; isPerhapsErased?: boolean }>
  /** Forms that were taken off a laptop's list, by laptop and id. */
  readonly removed: Set<string>
}

export type MadeKind = 'client' | 'session' | 'consent' | 'template'

export interface Pending {
  sure(): void
  /** The laptop died of it. */
  perhaps?(): void
  refused(): void
}

interface Value {
  readonly over: Set<string>
  isSure: boolean
  by: string
  isGone?: boolean
}

export function openLedger(): Ledger & { editBy(laptop: string): Ledger['edit'] } {
  const fields = new Map<string, Map<string, Value>>()
  const valueOf = (field: string, text: string): Value => {
    const values = fields.get(field) ?? new Map<string, Value>()
    fields.set(field, values)
    const value = values.get(text) ?? { over: new Set<string>(), isSure: false, by: '' }
    values.set(text, value)
    return value
  }
  const editBy =
    (by: string): Ledger['edit'] =>
    (field, before, after) => {
      const [old, text] = [textOf(before), textOf(after)]
      const isNew = !fields.get(field)?.has(text)
      const value = valueOf(field, text)
      valueOf(field, old)
      if (old !== text) value.over.add(old)
      value.by = by
      return {
        sure: () => void (value.isSure = true),
        refused: () => void (isNew && fields.get(field)?.delete(text)),
      }
    }
  return {
    fields,
    editBy,
    edit: editBy(''),
    chosen(field, kept, left) {
      if (textOf(kept) === textOf(left)) return
      valueOf(field, textOf(left))
      valueOf(field, textOf(kept)).over.add(textOf(left))
    },
    reaches: (field, shown, text) => seenFrom(fields.get(field) ?? new Map<string, Value>(), shown.map(textOf)).has(text),
    gone: (field, value) => void (valueOf(field, textOf(value)).isGone = true),
    lost(field, shown, by) {
      const values = fields.get(field) ?? new Map<string, Value>()
      const gone = [...values].flatMap(([text, { isGone }]) => (isGone === true ? [text] : []))
      const seen = seenFrom(values, [...shown.map(textOf), ...gone])
      const isMissing = ([text, value]: [string, Value]): boolean =>
        value.isSure && !seen.has(text) && (by === undefined || value.by === by)
      return [...values].filter(isMissing).map(([text]) => text)
    },
    made: new Map(),
    madeOn: new Map(),
    perhapsMade: new Set(),
    revoked: new Set(),
    signed: new Map(),
    addenda: new Map(),
    drafts: new Map(),
    erased: new Map(),
    kept: new Map(),
    holds: new Map(),
    sounds: new Map(),
    removed: new Set(),
  }
}

/** With all that stood there before, as far as whoever wrote over it saw it. */
function seenFrom(values: ReadonlyMap<string, Value>, shown: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const look = [...shown]
  for (let text = look.pop(); text !== undefined; text = look.pop()) {
    if (seen.has(text)) continue
    seen.add(text)
    look.push(...(values.get(text)?.over ?? []))
  }
  return seen
}

export const textOf = (value: unknown): string => JSON.stringify(value ?? null)

/** All of it, so that another process can go on with it. */
export function writeLedger({ fields, ...rest }: ReturnType<typeof openLedger>): string {
  const values = [...fields].map(([field, held]) => [
    field,
    [...held].map(([text, { over, ...value }]) => [text, { ...value, over: [...over] }]),
  ])
  const kept = kinds.map((kind) => [kind, [...rest[kind]]])
  return JSON.stringify({ fields: values, ...Object.fromEntries(kept) })
}

export function readLedger(text: string): ReturnType<typeof openLedger> {
  const ledger = openLedger()
  const read = JSON.parse(text) as Record<string, [string, never][]>
  for (const [field, held] of read['fields']! as [string, [string, Value & { over: string[] }][]][])
    ledger.fields.set(field, new Map(held.map(([name, value]) => [name, { ...value, over: new Set(value.over) }])))
  for (const kind of kinds)
    for (const entry of read[kind]!) {
      const kept = ledger[kind]
      if (kept instanceof Set) kept.add(entry as unknown as string)
      else kept.set(...entry)
    }
  return ledger
}

const kinds = [
  'made',
  'madeOn',
  'perhapsMade',
  'revoked',
  'signed',
  'addenda',
  'drafts',
  'erased',
  'kept',
  'holds',
  'sounds',
  'removed',
] as const
