import { readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { coreKit, createProfile, noService } from '../core-kit.ts'
import { fileKeychain } from '../file-keychain.ts'
import { personDoings } from './doings.ts'
import type { Laptop } from './laptop.ts'
import { readLedger, writeLedger } from './ledger.ts'
import { seeded } from './random.ts'
import { someSteps } from './steps.ts'
import { actOf, type World } from './world.ts'

/**
 * `node kill-child.ts FOLDER ADDRESS KEY LEDGER SEED`: a therapist's work on a real disk and a real network, until it is
 * killed; keeps the ledger in its file, and writes a line, before and after whatever is asked.
 */
const [folder = '', address = '', key = '', ledgerFile = '', seed = '1'] = argv.slice(2)
const ledger = readLedger(readFileSync(ledgerFile, 'utf8'))

const kit = coreKit({ folder: join(folder, 'profile') })
const open = await kit.open({ keychain: fileKeychain(join(folder, 'keychain.json')), openService: noService, fetch })
if (open.core.state().phase === 'first_run') {
  await createProfile(open)
  await open.call('settings.update', { service_address: address })
  await open.call('settings.setKey', { which: 'service', key })
}

const laptop = { name: 'ana', call: open.call, isLocked: false } as unknown as Laptop
const onAsk = (): void => {
  writeFileSync(`${ledgerFile}.new`, writeLedger(ledger))
  renameSync(`${ledgerFile}.new`, ledgerFile)
  writeSync(1, '.\n')
}
const world = { ledger, laptops: [laptop], onAsk } as unknown as World
// As many as will be: its end comes from outside.
for (const step of someSteps(seeded(Number(seed)), 100_000)) {
  if (!Object.hasOwn(personDoings, step.do)) continue
  const { dies: _, ...alive } = step
  await personDoings[step.do as keyof typeof personDoings](actOf(world, { ...alive, tag: Number(seed) * 1000 + step.tag }))
  await setImmediate()
}
