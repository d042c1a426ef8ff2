import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { migrate } from '#base/migrate.ts'
import { silentLog } from '#base/log.ts'
import { openEncrypted, type Sqlite } from '#base/sqlite.ts'
import { AppError, type ErrorCode } from '#contract/errors.ts'
import type { AnyIntent, StoredIntent } from '#core/outbox/intents.ts'
import { createOutbox } from '#core/outbox/outbox.ts'
import { type Step, SyncLoop } from '#core/sync/sync-loop.ts'
import { migrations } from '#core/vault/migrations.ts'

const key = randomBytes(32)

type Answer =
  | ErrorCode
  | AppError
  | 'done'
  | 'bug'
  | { polling: string }
  | { later: number; code?: ErrorCode }
  | { failed: ErrorCode }
  | Promise<Step>

/** The loop on a real outbox; time stands still until `pass` moves it, and every event is written down with its time. */
export function bench(script: (intent: StoredIntent, attempt: number) => Answer, db: Sqlite = openDatabase(), width = 1) {
  let now = 0
  let wall = 0
  const paused = { is: false }
  const random = { value: 0.5 }
  const log: string[] = []
  const attempts = new Map<string, number>()
  let sleeping: { until: number | null; wake: () => void } | null = null
  const outbox = createOutbox(db, { now: () => now, elapsed: () => now })
  const loop = new SyncLoop({
    outbox,
    log: silentLog,
    clock: { now: () => wall + now, elapsed: () => now },
    random: () => random.value,
    width: () => width,
    isPaused: () => paused.is,
    together: (work) => db.transaction(work).immediate(),
    wait: (ms, signal) =>
      new Promise((resolve) => {
        log.push(`${ms === null ? 'idle' : `wait ${ms}`} @${now}`)
        const wake = (): void => {
          sleeping = null
          resolve()
        }
        sleeping = { until: ms === null ? null : now + ms, wake }
        signal.addEventListener('abort', wake)
      }),
    async send(intent) {
      const attempt = (attempts.get(intent.id) ?? 0) + 1
      attempts.set(intent.id, attempt)
      log.push(`${intent.kind} ${attempt} @${now}`)
      const answer = script(intent, attempt)
      if (answer instanceof Promise) return answer
      if (answer === 'done') return { state: 'done', apply: () => {} }
      if (answer === 'bug') throw new TypeError('a bug')
      if (answer instanceof AppError) throw answer
      if (typeof answer === 'string') throw new AppError(answer)
      if ('later' in answer) return { state: 'later', after_ms: answer.later, code: answer.code ?? null }
      return 'polling' in answer ? { state: 'polling', operation_id: answer.polling } : { state: 'failed', code: answer.failed }
    },
    complete: (intent, step) => {
      step.apply()
      outbox.remove(intent.id)
    },
    giveUp: (intent, code) => {
      log.push(`needs you: ${code}`)
      outbox.needsYou(intent.id, code)
    },
  })
  const stop = async (): Promise<void> => {
    await loop.stop()
    if (db.open) db.close()
  }
  onTestFinished(stop)
  const asleep = async (): Promise<void> => {
    for (let turns = 0; turns < 1000; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      if (sleeping !== null && loop.state !== 'sending') return
    }
    throw new Error('the loop never rests')
  }
  return {
    loop,
    outbox,
    log,
    asleep,
    stop,
    add: (...intents: AnyIntent[]) => db.transaction(() => intents.forEach((intent) => outbox.add(intent)))(),
    paused,
    random,
    /** Somebody sets the clock. */
    setClock: (by: number) => void (wall += by),
    async pass(ms: number) {
      now += ms
      if (sleeping?.until !== null && sleeping !== null && sleeping.until <= now) sleeping.wake()
      await asleep()
    },
  }
}

export function openDatabase(): Sqlite {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-loop-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const db = openEncrypted(join(folder, 'vault.db'), key)
  migrate(db, migrations)
  return db
}

export const put = (client: string, subject: string): AnyIntent => ({
  kind: 'put-note',
  client_id: client,
  session_id: null,
  subject_id: subject,
  body: {},
})
export const create = (client: string): AnyIntent =>
  ({ kind: 'create-client', client_id: client, session_id: null, subject_id: client, body: { id: client } }) as AnyIntent
export const update = (client: string): AnyIntent =>
  ({ kind: 'update-client', client_id: client, session_id: null, subject_id: client, body: { patch: {}, base: {} } }) as AnyIntent
export const session = (client: string, subject: string): AnyIntent =>
  ({ kind: 'create-session', client_id: client, session_id: subject, subject_id: subject, body: { id: subject } }) as AnyIntent
export const reschedule = (client: string, subject: string): AnyIntent =>
  ({
    kind: 'update-session',
    client_id: client,
    session_id: subject,
    subject_id: subject,
    body: { patch: { starts_at: '11' }, base: { starts_at: '10' } },
  }) as AnyIntent
export const give = (client: string, subject: string): AnyIntent =>
  ({ kind: 'give-consent', client_id: client, session_id: null, subject_id: subject, body: {} }) as AnyIntent
export const revoke = (client: string, subject: string): AnyIntent =>
  ({ kind: 'revoke-consent', client_id: client, session_id: null, subject_id: subject, body: { revoked_at: '' } }) as AnyIntent
export const transcribe = (client: string): AnyIntent =>
  ({
    kind: 'transcribe',
    client_id: client,
    session_id: 's',
    subject_id: 's',
    body: { recording_id: 'r', upload_id: 'u', upload_key: 'k', base: null },
  }) as AnyIntent
export const draft = (client: string): AnyIntent =>
  ({
    kind: 'draft-note',
    client_id: client,
    session_id: 's',
    subject_id: 's',
    body: { template: 'soap', base: null },
  }) as AnyIntent
