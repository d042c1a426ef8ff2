import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { systemKeychain } from '#base/keychain.ts'
import { createVault, inspectVault, openVault } from '#core/vault/vault.ts'
import { AppError } from '#contract/errors.ts'

/** Run inside a D-Bus session by keychain.test.ts: does one thing with the real keychain and prints what came of it. */
const [action, folder] = process.argv.slice(2) as [string, string]
const ports = { folder, keychain: systemKeychain(), clock: systemClock, log: silentLog, migrations: [] }

const answer = (value: unknown): boolean => process.stdout.write(JSON.stringify(value))

const actions: Record<string, () => Promise<unknown>> = {
  inspect: () => inspectVault(ports),
  create: async () => {
    const { vault, recovery_code } = await createVault(ports, { protection: 'keychain' })
    vault.close()
    return recovery_code
  },
  open: async () => {
    const vault = await openVault(ports)
    vault.close()
    return 'opened'
  },
  restore: async () => {
    const vault = await openVault(ports, { recovery_code: process.argv[4] ?? '' })
    vault.close()
    return 'opened'
  },
  available: () => ports.keychain.available(),
  large: async () => {
    const secret = Buffer.alloc(9000, 'a large secret ')
    await ports.keychain.set('large', secret)
    const found = await ports.keychain.get('large')
    await ports.keychain.remove('large')
    return { is_same: found !== null && secret.equals(found), after: await ports.keychain.get('large') }
  },
  remove: () => ports.keychain.remove(process.argv[4] ?? ''),
}

try {
  answer((await actions[action]!()) ?? null)
} catch (error) {
  if (!(error instanceof AppError)) throw error
  answer({ code: error.code })
}
