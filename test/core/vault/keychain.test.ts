import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { systemKeychain } from '#base/keychain.ts'
import { leftOut } from '#test/support/left-out.ts'
import { findProgram } from '#test/support/machine.ts'
import { codeOf, temporaryFolder } from './vault-fixture.ts'

type Entry = ReturnType<NonNullable<Parameters<typeof systemKeychain>[0]>>

/** One call of the library, as it was seen to answer. */
function answering(answer: () => Promise<never>): Entry {
  return { getSecret: answer, setSecret: answer, deleteCredential: answer }
}

describe('what the library says', () => {
  const lockedBy = ['Secret Service: unlock prompt was dismissed', 'User interaction is not allowed.', 'The keychain is locked']
  const missingBy = [
    'Platform failure: DBus error: Unable to autolaunch; set your DBUS_SESSION_BUS_ADDRESS',
    'The name org.freedesktop.secrets was not provided by any .service files',
    'Secret Service: no result found',
  ]
  test.each([
    ...lockedBy.map((message) => [message, 'keychain-locked']),
    ...missingBy.map((message) => [message, 'keychain-unavailable']),
  ])('"%s" is %s', async (message, code) => {
    const refused = systemKeychain(() => answering(() => Promise.reject(new Error(message))))
    expect(await codeOf(() => refused.get('one'))).toBe(code)
    expect(await codeOf(() => refused.set('one', Buffer.alloc(1)))).toBe(code)
    expect(await codeOf(() => refused.remove('one'))).toBe(code)
    expect(await refused.available()).toBe(false)
    const notEvenBuilt = systemKeychain(() => {
      throw new Error(message)
    })
    expect(await codeOf(() => notEvenBuilt.get('one'))).toBe(code)
  })

  test('a prompt nobody answers counts as locked after our own time', async () => {
    const silent = systemKeychain(() => answering(() => new Promise<never>(() => {})), 5)
    expect(await codeOf(() => silent.get('one'))).toBe('keychain-locked')
    expect(await silent.available()).toBe(false)
  })
})

const bus = findProgram('dbus-run-session')
const tools = ['dbus-run-session', 'gnome-keyring-daemon'].filter((name) => findProgram(name) === null)
const without = leftOut(
  'the vault with a real keychain',
  tools.length === 0 ? null : `no ${tools.join(', no ')} (Debian: dbus, gnome-keyring)`,
)

describe('a real secret service', () => {
  const child = fileURLToPath(new URL('./keychain-session.ts', import.meta.url))
  const keyring = 'printf \'%s\' "$PASSWORD" | gnome-keyring-daemon --unlock --components=secrets >/dev/null && '

  /** A login session of its own; `password` null: nobody unlocks the keyring. */
  function session(home: string, password: string | null, ...call: string[]): unknown {
    const script = `${password === null ? '' : keyring}exec "$0" "$@"`
    const output = execFileSync(bus!, ['--', 'sh', '-c', script, process.execPath, child, ...call], {
      env: { PATH: process.env['PATH'], HOME: home, XDG_RUNTIME_DIR: home, PASSWORD: password ?? '' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 60_000,
    })
    return JSON.parse(output.toString())
  }

  test.skipIf(without)(
    'keeps the key over logins, says when it is locked, and takes it back from the recovery code',
    () => {
      const [home, folder] = [temporaryFolder(), temporaryFolder()]
      const code = session(home, 'login', 'create', folder) as string
      expect(session(home, 'login', 'inspect', folder)).toEqual({
        phase: 'openable',
        trouble: null,
        protection: 'keychain',
        keychain_available: true,
      })
      expect(session(home, 'login', 'open', folder)).toBe('opened')
      expect(session(home, 'another password', 'inspect', folder)).toMatchObject({ phase: 'trouble', trouble: 'keychain-locked' })

      const { profile_id } = JSON.parse(readFileSync(join(folder, 'vault.json'), 'utf8')) as { profile_id: string }
      session(home, 'login', 'remove', folder, `data-key/${profile_id}`)
      expect(session(home, 'login', 'inspect', folder)).toMatchObject({ phase: 'trouble', trouble: 'key-gone' })
      expect(session(home, 'login', 'restore', folder, code)).toBe('opened')
      expect(session(home, 'login', 'open', folder)).toBe('opened')
    },
    60_000,
  )

  test.skipIf(without)(
    'without a keyring in it is not taken for a keychain, and an empty one is not a new start',
    () => {
      const [home, folder] = [temporaryFolder(), temporaryFolder()]
      expect(session(temporaryFolder(), null, 'available', folder)).toBe(false)
      expect(session(temporaryFolder(), null, 'create', folder)).toMatchObject({ code: expect.stringMatching(/^keychain-/) })
      session(home, 'login', 'create', folder)
      expect(session(temporaryFolder(), 'login', 'inspect', folder)).toMatchObject({ phase: 'trouble', trouble: 'key-gone' })
      expect(session(temporaryFolder(), null, 'inspect', folder)).toMatchObject({ phase: 'trouble' })
    },
    60_000,
  )

  test.skipIf(without)('keeps a secret that is longer than one entry may be', () => {
    expect(session(temporaryFolder(), 'login', 'large', temporaryFolder())).toEqual({ is_same: true, after: null })
  })

  test('that is not there is unavailable at once', () => {
    const output = execFileSync(process.execPath, [child, 'inspect', temporaryFolder()], {
      env: { PATH: process.env['PATH'], HOME: temporaryFolder(), DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' },
    })
    if (process.platform === 'linux')
      expect(JSON.parse(output.toString())).toMatchObject({ phase: 'first_run', keychain_available: false })
  })
})
