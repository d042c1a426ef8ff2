import { silentLog } from '#base/log.ts'
import { newId } from '#base/ids.ts'
import type { AppendService } from '#core/recordings/append-service.ts'
import { openRecordingCore, type RecordingCore } from '#test/crash/recording-core.ts'
import { format, heldClock, recordOf, scratchFolder } from './recording-kit.ts'

export const windowId = 'window-one'
export const attachment = { window_id: windowId, format, device_label: 'Desk microphone' }

export function studio(folder = scratchFolder(), clock = heldClock(), append?: AppendService, consent = true) {
  const events: string[] = []
  const emit = (name: string): void => void events.push(name)
  const core = openRecordingCore({ folder, clock, emit, log: silentLog, consent, ...(append === undefined ? {} : { append }) })
  return { core, clock, folder, events, call: core.handlers }
}

export async function begun(records = 5, from = studio()) {
  const session_id = newId()
  const { recording_id } = await from.call['recordings.start']({ session_id, ...attachment })
  speak(from.core, recording_id, 0, records, from.clock)
  return { ...from, session_id, recording_id }
}

export function speak(
  core: RecordingCore,
  recording_id: string,
  from: number,
  to: number,
  clock: ReturnType<typeof heldClock>,
): void {
  for (let sequence = from; sequence < to; sequence += 1) {
    core.append.append({ recording_id, ...recordOf(sequence) })
    clock.pass(200)
  }
}

export const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? 'a bug',
  )

export async function ogg(core: RecordingCore, id: string, start?: number, end?: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of core.audio.read(id, start, end)) parts.push(part)
  return Buffer.concat(parts)
}
