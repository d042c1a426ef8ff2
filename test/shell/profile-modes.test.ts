import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { MethodInput, MethodName, MethodOutput } from '#contract/bridge/methods.ts'
import type { Answer } from '#contract/bridge/method.ts'
import { type CoreHost, startCore } from '#shell/core-host.ts'
import { profileFolder } from '#shell/profile-folder.ts'
import { lockProfile } from '#shell/profile-lock.ts'

const passphrase = 'a long enough passphrase'
const format = { codec: 'opus', input_sample_rate: 48_000, channels: 1, bitrate: 28_000, pre_skip: 312 } as const

function everythingIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) => join(parentPath, name))
}

/** Files and folders that another user of this machine could open. */
function openToOthers(folder: string): string[] {
  return [folder, ...everythingIn(folder)]
    .filter((path) => (statSync(path).mode & 0o077) !== 0)
    .map((path) => relative(folder, path))
}

const start = (folder: string): Promise<CoreHost> =>
  startCore({
    folder,
    resources: resolve('resources'),
    shell: 'preview',
    app_version: '0.0.0',
    startLocked: false,
    passphraseFile: undefined,
    onEvent: () => {},
  })

async function recordSession(host: CoreHost): Promise<void> {
  const call = async <Name extends MethodName>(name: Name, input: MethodInput<Name>): Promise<MethodOutput<Name>> => {
    const answer = (await host.call(name, input)) as Answer<MethodOutput<Name>>
    if (!answer.ok) throw new Error(`${name}: ${answer.error.code}`)
    return answer.value
  }
  await call('vault.create', { protection: 'passphrase', passphrase, therapist_name: 'Robin Adair', therapist_credential: null })
  const client = await call('clients.create', { display_name: 'Maren Voss' })
  const session = await call('sessions.create', {
    client_id: client.id,
    session_type: 'individual',
    starts_at: '2026-11-24T14:00:00Z',
    duration_minutes: 50,
  })
  await call('consents.give', {
    client_id: client.id,
    participant: { name: 'Maren Voss', role: 'client' },
    scopes: ['record', 'transcribe', 'draft'],
    text_version: '1',
    method: 'spoken',
  })
  const window = { window_id: 'window-one', format, device_label: 'Test' }
  const { recording_id } = await call('recordings.start', { session_id: session.id, ...window })
  const packet = Buffer.from([0, 3, 0xf8, 0xff, 0xfe])
  const packets = new Uint8Array(Buffer.concat(Array.from({ length: 10 }, () => packet)))
  await call('recordings.append', { recording_id, sequence: 0, packets, peak: 0.5, rms: 0.2 })
  await call('recordings.finish', { recording_id })
}

test.skipIf(process.platform === 'win32').each([0o022, 0])(
  'nothing in a profile can be read by another user of the machine (umask %i)',
  async (mask) => {
    const umask = process.umask(mask)
    const folder = join(mkdtempSync(join(tmpdir(), 'afterword-modes-')), 'profile')
    onTestFinished(() => {
      process.umask(umask)
      rmSync(join(folder, '..'), { recursive: true })
    })
    const environment = { AFTERWORD_PROFILE: folder }
    await profileFolder({ environment })
    // The lock of a system where it is a file.
    const lock = await lockProfile(folder, () => '', 'darwin')
    const host = await start(folder)
    await recordSession(host)
    const names = everythingIn(folder).map((path) => relative(folder, path))
    expect(names).toEqual(
      expect.arrayContaining([
        'vault.db',
        'vault.db-wal',
        'vault.db-shm',
        'service.db',
        'service.db-wal',
        'profile.lock',
        'log/core.log',
      ]),
    )
    expect(openToOthers(folder)).toEqual([])
    await host.close()
    expect(openToOthers(folder)).toEqual([])

    // As an earlier version left it.
    for (const name of ['vault.db', 'service.db']) chmodSync(join(folder, name), 0o644)
    chmodSync(folder, 0o755)
    await profileFolder({ environment })
    const again = await start(folder)
    expect(await again.call('vault.unlock', { passphrase })).toMatchObject({ ok: true })
    expect(existsSync(join(folder, 'vault.db-wal'))).toBe(true)
    expect(openToOthers(folder)).toEqual([])
    await again.close()
    if ('release' in lock) lock.release()
  },
)
