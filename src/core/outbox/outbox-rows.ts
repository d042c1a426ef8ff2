import type { OutboxItem } from '#contract/bridge/library.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { OutboxState, StoredIntent } from './intents.ts'
import type { ListedItem, Place } from './outbox.ts'
import { outboxSql } from './outbox-statements.ts'

interface Statement {
  run(...values: unknown[]): unknown
  get(...values: unknown[]): unknown
  all(...values: unknown[]): unknown[]
  iterate(...values: unknown[]): IterableIterator<unknown>
}
export type Statements = Readonly<Record<keyof typeof outboxSql, Statement>>

export function prepareOutbox(db: Sqlite): Statements {
  const all = Object.entries(outboxSql).map(([name, sql]): [string, Statement] => [name, db.prepare<unknown[]>(sql)])
  return Object.fromEntries(all) as Record<keyof Statements, Statement>
}

export type LineRow = Place & { readonly held: number; readonly moves: number }
type Ids = ReadonlySet<string>

export type ListedRow = Omit<ListedItem, 'state' | 'progress' | 'waits_for' | 'first' | 'asked'> & {
  readonly state: OutboxState
  readonly chosen: number
  readonly asked: number
  readonly needs: string
}

export function listed({ chosen, needs, ...row }: ListedRow, inFlight: Ids, shares: ReadonlyMap<string, number>): ListedItem {
  const waits_for = (JSON.parse(needs) as { id: string; kind: string; needs_you: number }[]).map((need) => ({
    ...need,
    needs_you: need.needs_you === 1,
  }))
  return {
    ...row,
    state: shownState(row, inFlight),
    progress: shares.get(row.id) ?? null,
    waits_for,
    first: chosen === 1,
    asked: row.asked === 1,
  }
}

function shownState(row: { id: string; state: OutboxState }, inFlight: Ids): OutboxItem['state'] {
  if (row.state === 'needs_you') return 'needs_you'
  return inFlight.has(row.id) || row.state === 'polling' ? 'sending' : 'waiting'
}

export function fromRow(row: unknown): StoredIntent | null {
  if (row === undefined) return null
  return { ...(row as StoredIntent), body: JSON.parse((row as { readonly body: string }).body) } as StoredIntent
}
