import { AppError } from '#contract/errors.ts'
import type { Recording } from '#contract/model/recording.ts'
import type { AppendState } from './append-service.ts'
import { interrupt, sinceLastRecord } from './reconcile.ts'
import type { RecordingRow } from './recording-repository.ts'
import type { RecordingContext } from './recordings.ts'

export function columnsOf(state: AppendState): Pick<RecordingRow, 'saved_ms' | 'bytes' | 'gaps'> {
  return { saved_ms: state.saved_ms, bytes: state.bytes, gaps: JSON.stringify(state.gaps) }
}

export async function stateOf(context: RecordingContext, recordingId: string): Promise<AppendState | null> {
  return (await context.append.status()).find(({ recording_id }) => recording_id === recordingId) ?? null
}

export async function refresh(context: RecordingContext): Promise<void> {
  const states = await context.append.status()
  for (const row of context.repository.unfinished()) {
    const state = states.find(({ recording_id }) => recording_id === row.id) ?? null
    if (state !== null && hasResumed(row, state) && !mayRecord(context, row)) {
      await stop(context, row)
      continue
    }
    const after = refreshed(context, row, state)
    if (after.state !== row.state) context.changed(after)
  }
}

export async function writable(context: RecordingContext): Promise<RecordingRow[]> {
  const open = new Set((await context.append.status()).map(({ recording_id }) => recording_id))
  return context.repository.unfinished().filter((row) => row.state !== 'interrupted' || open.has(row.id))
}

export async function stop(context: RecordingContext, row: RecordingRow): Promise<void> {
  const state = (await stateOf(context, row.id)) === null ? null : await context.append.close(row.id)
  const wasRunning = row.state !== 'interrupted'
  const after = context.repository.update(row.id, {
    ...(state === null ? {} : columnsOf(state)),
    ...(wasRunning ? { was_paused: 0, lost_ms_at_most: 0, interrupted_at: context.now() } : {}),
    state: 'interrupted',
  })
  context.audit({ action: 'recording.stopped', subject_id: row.id })
  context.changed(after)
}

/** Consent may have been revoked just before a crash that left the recording running. */
export async function stopUnconsented(context: RecordingContext): Promise<void> {
  for (const row of await writable(context)) if (!mayRecord(context, row)) await stop(context, row)
}

export function mayRecord(context: RecordingContext, row: RecordingRow): boolean {
  return orElse(() => context.gate(row.session_id).granted.includes('record'), false)
}

export function orElse<Value>(find: () => Value, fallback: Value): Value {
  try {
    return find()
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return fallback
    throw error
  }
}

function refreshed(context: RecordingContext, row: RecordingRow, state: AppendState | null): RecordingRow {
  if (state === null) return row.state === 'interrupted' ? row : interrupt(context, row)
  if (row.state === 'interrupted')
    return hasResumed(row, state) ? context.repository.update(row.id, { state: 'recording', ...columnsOf(state) }) : row
  // Sound arrived during the pause, for example after a reload while the vault was locked.
  if (row.state === 'paused' && state.saved_ms > row.saved_ms)
    return context.repository.update(row.id, { state: 'recording', ...columnsOf(state) })
  if (isFed(row, state)) return row.bytes === state.bytes ? row : context.repository.update(row.id, columnsOf(state))
  const wasPaused = row.state === 'paused'
  return context.repository.update(row.id, {
    ...columnsOf(state),
    state: 'interrupted',
    was_paused: wasPaused ? 1 : 0,
    lost_ms_at_most: wasPaused ? 0 : sinceLastRecord(context.clock, state.last_write_at, state.idle_ms ?? 0),
    interrupted_at: new Date(state.last_write_at).toISOString(),
  })
}

function hasResumed(row: RecordingRow, state: AppendState): boolean {
  return row.state === 'interrupted' && state.idle_ms !== null && state.idle_ms < 1000 && state.saved_ms > row.saved_ms
}

const isRunning = ({ state }: RecordingRow): boolean => state === 'recording' || state === 'paused'

export async function live(context: RecordingContext, row: RecordingRow): Promise<Recording> {
  const state = isRunning(row) ? await stateOf(context, row.id) : null
  return context.repository.asRecord(state === null ? row : { ...row, ...columnsOf(state) })
}

/** A window sends sound five times a second while recording, and attaches every two seconds while paused. */
const MAX_SILENCE_RECORDING_MS = 3000
const MAX_SILENCE_PAUSED_MS = 6000
const TAKEOVER_MS = 1500

function isFed({ state }: Pick<RecordingRow, 'state'>, { silent_ms }: AppendState): boolean {
  return silent_ms < (state === 'paused' ? MAX_SILENCE_PAUSED_MS : MAX_SILENCE_RECORDING_MS)
}

export function mayBeTakenOver(row: RecordingRow, { silent_ms }: AppendState, windowId: string): boolean {
  return row.window_id === windowId || !isRunning(row) || silent_ms > TAKEOVER_MS
}

export const isFedUnderLock = (state: AppendState): boolean => isFed({ state: 'paused' }, state)
