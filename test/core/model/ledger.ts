/**
 * What people were told is done. Each field of each record is a history of values: a value came over the one its writer
 * saw. Nothing vanished as long as every value a person was told of stands, or was seen by whoever wrote over it.
 */
export interface Ledger {
  /** A value about to be written over another; `sure` once it was acknowledged, `refuse` where it was not taken. */
  edit(field: string, before: unknown, after: unknown): Pending
  /** Somebody saw both and chose. */
  chosen(field: string, kept: unknown, left: unknown): void
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
    lost(field, shown, by) {
      const values = fields.get(field) ?? new Map<string, Value>()
      const seen = new Set<string>()
      const look = shown.map(textOf)
      for (let text = look.pop(); text !== undefined; text = look.pop()) {
        if (seen.has(text)) continue
        seen.add(text)
        look.push(...(values.get(text)?.over ?? []))
      }
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
  }
}

const textOf = (value: unknown): string => JSON.stringify(value ?? null)

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

const kinds = ['made', 'madeOn', 'perhapsMade', 'revoked', 'signed', 'addenda', 'drafts'] as const
