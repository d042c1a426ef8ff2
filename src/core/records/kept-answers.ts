import type { z } from 'zod'
import { type Clock, timestamp } from '#base/clock.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { failedWith } from '#core/outbox/sending.ts'

export interface KeptAnswer<Value> {
  readonly value: Value
  readonly answered_at: string
  readonly is_old: boolean
}

export type KeptAnswers = ReturnType<typeof createKeptAnswers>

export function createKeptAnswers(db: Sqlite, clock: Clock) {
  const find = db.prepare('select answer, answered_at from kept_answers where question = ?')
  const keep = db.prepare('insert or replace into kept_answers (question, answer, answered_at) values (?, ?, ?)')
  return {
    async ask<Value>(question: string, schema: z.ZodType<Value>, ask: () => Promise<Value>): Promise<KeptAnswer<Value>> {
      try {
        const value = await ask()
        const answered_at = timestamp(clock)
        keep.run(question, JSON.stringify(value), answered_at)
        return { value, answered_at, is_old: false }
      } catch (error) {
        if (!failedWith(error, 'service-unreachable', 'quota-exceeded', 'unauthenticated')) throw error
        const kept = find.get(question) as { answer: string; answered_at: string } | undefined
        if (kept === undefined) throw error
        // Older app versions may have cached another format.
        const read = schema.safeParse(JSON.parse(kept.answer))
        if (!read.success) throw error
        return { value: read.data, answered_at: kept.answered_at, is_old: true }
      }
    },
  }
}
