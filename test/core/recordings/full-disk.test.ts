import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { openRecordingCore } from '#test/crash/recording-core.ts'
import { noSmallDisk, smallDisk } from '#test/support/full-disk.ts'
import { leftOut } from '#test/support/left-out.ts'
import { format, heldClock, recordOf } from './recording-kit.ts'
import { demux } from '#test/support/ogg-pages.ts'

const begin = { window_id: 'window-one', format, device_label: '' }

test.skipIf(leftOut('recording on a full disk', noSmallDisk()))(
  'a full disk ends a recording cleanly with every acknowledged record kept',
  async () => {
    const disk = smallDisk(48 * 1024)
    try {
      const core = openRecordingCore({ folder: join(disk.folder, 'profile'), clock: heldClock(), log: silentLog })
      const { recording_id } = await core.handlers['recordings.start']({ session_id: newId(), ...begin })
      let acknowledged = 0
      const speak = (): string => {
        try {
          for (;;) {
            core.append.append({ recording_id, ...recordOf(acknowledged) })
            acknowledged += 1
          }
        } catch (error) {
          return (error as { code: string }).code
        }
      }
      core.append.append({ recording_id, ...recordOf(acknowledged) })
      acknowledged += 1
      disk.fill(96 * 1024)
      expect(speak()).toBe('disk-full')
      expect(speak()).toBe('disk-full')
      expect(acknowledged).toBeGreaterThan(100)
      const finished = await core.handlers['recordings.finish']({ recording_id })
      expect(finished).toMatchObject({ state: 'finished', saved_ms: acknowledged * 200 })
      const parts: Uint8Array[] = []
      for await (const part of core.audio.read(recording_id)) parts.push(part)
      expect(demux(Buffer.concat(parts)).packets.length - 2).toBe(acknowledged * 10)
      core.db.close()
    } finally {
      disk.remove()
    }
  },
)

test.skipIf(leftOut('starting on a full disk', noSmallDisk()))(
  'a recording is not begun where there is no room for it, and no hours are promised',
  async () => {
    const disk = smallDisk(8 * 1024)
    try {
      const core = openRecordingCore({ folder: join(disk.folder, 'profile'), clock: heldClock(), log: silentLog })
      const refused = core.handlers['recordings.start']({ session_id: newId(), ...begin }) as Promise<unknown>
      await expect(refused).rejects.toMatchObject({ code: 'disk-full' })
      expect(await core.handlers['recordings.space']({})).toMatchObject({ hours: 0 })
      expect(readdirSync(join(disk.folder, 'profile'))).not.toContain('recordings')
      core.db.close()
    } finally {
      disk.remove()
    }
  },
)
