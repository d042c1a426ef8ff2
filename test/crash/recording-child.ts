/** A core that a test kills: it takes a recording up, appends what it is sent, and writes each acknowledgement to a pipe. */
import { writeSync } from 'node:fs'
import { silentLog } from '#base/log.ts'
import type { AudioFormat } from '#contract/model/recording.ts'
import { openRecordingCore } from './recording-core.ts'

/** What is written here is the kernel's: it outlives this process. */
const LEDGER = 4
const [folder = '', session = '', recording = ''] = process.argv.slice(2)
const format: AudioFormat = { codec: 'opus', input_sample_rate: 48_000, channels: 1, bitrate: 26_800, pre_skip: 312 }
const attachment = { window_id: 'window-one', format, device_label: '' }

const core = openRecordingCore({ folder, log: silentLog })
const { recording_id, next_sequence } =
  recording === ''
    ? await core.handlers['recordings.start']({ session_id: session, ...attachment })
    : {
        recording_id: recording,
        ...(await core.handlers['recordings.attach']({ recording_id: recording, ...attachment, gap: null })),
      }

process.on('message', (message: { sequence: number; packets: Uint8Array<ArrayBuffer> } | { finish: true }) => {
  if ('finish' in message) void finish()
  else {
    core.append.append({ recording_id, peak: 0.5, rms: 0.1, ...message })
    writeSync(LEDGER, `${message.sequence}\n`)
  }
})

async function finish(): Promise<void> {
  process.send?.({ finished: await core.handlers['recordings.finish']({ recording_id }) })
}

process.on('disconnect', () => process.exit(0))
process.send?.({ recording_id, next_sequence })
