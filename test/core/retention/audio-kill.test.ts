import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { coreKit } from '#test/core/core-kit.ts'
import { fileKeychain } from '#test/core/file-keychain.ts'
import { fileOf, isErased, played, stateOf } from './opened-kit.ts'

const child = fileURLToPath(new URL('./audio-after-signing-child.ts', import.meta.url))
/** Every operation with AFTERWORD_FAULTS=full, else every seventh from a seed: each costs a process. */
const stride = process.env['AFTERWORD_FAULTS'] === 'full' ? 1 : 7

test.skipIf(process.platform === 'win32')(
  'killed at any operation after Sign, the audio is whole, or deleted with a receipt, and the next start deletes it if the note is signed',
  async () => {
    let isDone = false
    for (let number = 1; !isDone; number += stride) {
      const folder = mkdtempSync(join(tmpdir(), 'afterword-signing-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const { stdout, signal, stderr } = spawnSync(process.execPath, [child, folder, String(number)])
      const [session_id = '', recording_id = '', end] = stdout.toString().split(' ')
      isDone = end === 'deleted'
      const about = `operation ${number}`
      expect(signal ?? stderr.toString(), about).toBe(isDone ? '' : 'SIGKILL')
      const kit = coreKit({ folder: join(folder, 'profile') })
      const open = await kit.open({ keychain: fileKeychain(join(folder, 'keychain.json')) })
      const { note } = await open.call('notes.get', { session_id })
      if (note!.signature !== null) await open.until(() => isErased(open, session_id))
      const { plan, receipt } = await open.call('recordings.retention', { session_id })
      const isSigned = note!.signature !== null
      expect(await stateOf(open, session_id), about).toBe(isSigned ? 'erased' : 'finished')
      expect(existsSync(fileOf(kit, recording_id)), about).toBe(!isSigned)
      expect(await played(open, recording_id), about).toBe(isSigned ? 404 : 200)
      expect(isSigned ? receipt?.number : plan, about).toEqual(
        isSigned ? 1 : { outcome: 'deleted-by-signing', because: 'unheard' },
      )
      await open.core.close()
    }
  },
  600_000,
)
