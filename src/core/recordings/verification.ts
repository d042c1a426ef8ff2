import { setTimeout as wait } from 'node:timers/promises'
import { errorKind } from '#base/log.ts'
import type { Gap } from '#contract/model/recording.ts'
import { finishEnded } from './ending-handlers.ts'
import { currentGaps, damageIn, unreadableMs, type RecordingRow } from './recording-repository.ts'
import type { RecordingContext } from './recordings.ts'

const REST_MS = 20
const WHILE_RECORDING_MS = 2000
const PASS_EVERY_MS = 86_400_000
const CHECK_AGAIN_MS = 7 * 86_400_000

export function createVerification(context: RecordingContext) {
  const { repository, audio, log } = context
  const closing = new AbortController()
  const sleep = (ms: number): Promise<void> => wait(ms, undefined, { ref: false, signal: closing.signal })
  let running = Promise.resolve()

  async function rest(): Promise<void> {
    await sleep(REST_MS)
    while (repository.active() !== null) await sleep(WHILE_RECORDING_MS)
  }

  async function pass(): Promise<void> {
    const { suspects, others } = due(context)
    for (const row of suspects) await check(row)
    for (const row of others) {
      await rest()
      await check(row)
    }
  }

  async function finishAllEnded(): Promise<void> {
    for (const id of context.ended) {
      await context.inTurn(() => finishEnded(context, id))
      closing.signal.throwIfAborted()
    }
  }

  async function check(row: RecordingRow): Promise<void> {
    try {
      await audio.check(row, rest)
    } catch (error) {
      if (closing.signal.aborted) throw error
      log.error('recording-not-checked', { recording_id: row.id, reason: errorKind(error) })
    }
  }

  async function passes(): Promise<void> {
    try {
      await finishAllEnded()
      for (;;) {
        await pass()
        await sleep(PASS_EVERY_MS)
      }
    } catch (error) {
      if (!closing.signal.aborted) log.error('recordings-not-checked', { reason: errorKind(error) })
    }
  }

  return {
    pass,
    start: (): void => void (running = passes()),
    async stop(): Promise<void> {
      closing.abort()
      await running
    },
  }
}

function due({ repository, files, clock }: RecordingContext): Record<'suspects' | 'others', RecordingRow[]> {
  const suspects: RecordingRow[] = []
  const others: RecordingRow[] = []
  for (const row of repository.finished()) {
    const checked = row.checked_at === null ? 0 : Date.parse(row.checked_at)
    const file = files.facts(row.id)
    const isKnown = unreadableMs(currentGaps(row)) > 0
    if (isKnown || file?.size !== row.bytes || (checked > 0 && file.changed_ms > checked)) suspects.push(row)
    else if (checked + CHECK_AGAIN_MS < clock.now()) others.push(row)
  }
  return { suspects, others }
}

export function onChecked(context: RecordingContext, { id }: RecordingRow, damage: readonly Gap[]): void {
  const row = context.db.open ? context.repository.find(id) : null
  if (row?.state !== 'finished') return
  const known = damageIn(currentGaps(row))
  const unreadable = JSON.stringify(damage)
  const lost = unreadableMs(damage)
  const dismissed_ms = Math.min(row.dismissed_ms, lost)
  const after = context.repository.update(id, { unreadable, checked_at: context.now(), dismissed_ms })
  if (unreadable === JSON.stringify(known)) return
  if (lost > unreadableMs(known)) context.audit({ action: 'recording.damaged', subject_id: id })
  context.changed(after)
}
