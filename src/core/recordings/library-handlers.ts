import { newId } from '#base/ids.ts'
import type { Handlers, MethodOutput } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import type { Mark } from '#contract/model/recording.ts'
import type { RecordingMethodName, RecordingContext } from './recordings.ts'
import { currentGaps, unreadableMs, type RecordingRow } from './recording-repository.ts'
import { live, orElse, refresh } from './refresh.ts'
import { freeBytes, hoursIn, RESERVED_BYTES } from './recording-files.ts'
import { peaksOf, waveform, withoutDamage } from './recording-index.ts'

type LibraryName = Exclude<
  RecordingMethodName,
  'recordings.start' | 'recordings.attach' | 'recordings.pause' | 'recordings.resume' | 'recordings.finish' | 'recordings.erase'
>

export function libraryHandlers(context: RecordingContext): Handlers<LibraryName> {
  const { repository } = context
  return {
    'recordings.get': ({ session_id }) =>
      context.inTurn(async () => {
        const row = repository.ofSession(session_id)
        return row === null ? null : live(context, row)
      }),
    'recordings.retention': ({ session_id }) => ({
      plan: context.retention.planOf(session_id),
      receipt: repository.receiptOf(session_id),
    }),
    'recordings.active': () => context.inTurn(() => active(context)),
    'recordings.recoverable': () => context.inTurn(() => recoverable(context)),
    'recordings.waveform': async ({ recording_id, buckets }) => {
      const row = repository.existing(recording_id)
      const slots = row.peaks ?? peaksOf((await context.audio.index(row)).index)
      return {
        peaks: waveform(withoutDamage(slots, currentGaps(row)), buckets),
        duration_ms: (await live(context, row)).saved_ms,
      }
    },
    'recordings.damaged': () => damaged(context),
    'recordings.dismissDamage': ({ recording_id }) => {
      const row = repository.existing(recording_id)
      repository.update(recording_id, { dismissed_ms: unreadableMs(currentGaps(row)) })
      return marked(context, recording_id, {})
    },
    'recordings.addMark': ({ recording_id, at_ms, text }) => {
      repository.existing(recording_id)
      const mark: Mark = { id: newId(context.clock), at_ms, text, created_at: context.now() }
      repository.addMark(recording_id, mark)
      return marked(context, recording_id, mark)
    },
    'recordings.renameMark': ({ recording_id, mark_id, text }) => {
      const mark = repository.renameMark(recording_id, mark_id, text)
      if (mark === null) throw new AppError('not-found')
      return marked(context, recording_id, mark)
    },
    'recordings.removeMark': ({ recording_id, mark_id }) => {
      repository.removeMark(recording_id, mark_id)
      return marked(context, recording_id, {})
    },
    'recordings.space': async () => {
      const free = await freeBytes(context.folder)
      const mayStart = free >= RESERVED_BYTES || repository.active() !== null
      return { free_bytes: free, hours: mayStart ? hoursIn(free) : 0 }
    },
  }
}

function marked<Result>(context: RecordingContext, recordingId: string, result: Result): Result {
  const row = context.repository.find(recordingId)
  if (row !== null) context.changed(row)
  return result
}

async function active(context: RecordingContext) {
  await refresh(context)
  const row = context.repository.active()
  if (row === null) return null
  const recording = await live(context, row)
  return { recording, client_name: nameOf(context, row), window_id: row.window_id, started_at: row.started_at }
}

async function recoverable(context: RecordingContext) {
  await refresh(context)
  return context.repository
    .unfinished()
    .filter((row) => row.state === 'interrupted' && !context.ended.has(row.id))
    .map((row) => ({
      recording: context.repository.asRecord(row),
      client_name: nameOf(context, row),
      session_starts_at: startOf(context, row),
      interrupted_at: row.interrupted_at ?? row.started_at,
      lost_ms_at_most: row.lost_ms_at_most,
    }))
}

const damaged = (context: RecordingContext): MethodOutput<'recordings.damaged'> =>
  context.repository
    .finished()
    .map((row) => ({ row, unreadable_ms: unreadableMs(currentGaps(row)) }))
    .filter(({ row, unreadable_ms }) => unreadable_ms > row.dismissed_ms)
    .map(({ row, unreadable_ms }) => ({
      recording_id: row.id,
      session_id: row.session_id,
      client_name: nameOf(context, row),
      session_starts_at: startOf(context, row),
      saved_ms: row.saved_ms,
      unreadable_ms,
    }))
    .toSorted((a, b) => b.session_starts_at.localeCompare(a.session_starts_at))

const nameOf = (context: RecordingContext, row: RecordingRow): string => orElse(() => context.clientName(row.session_id), '')

function startOf(context: RecordingContext, row: RecordingRow): string {
  return orElse(() => context.sessionStart(row.session_id), row.started_at)
}
