import { join } from 'node:path'
import { argv, kill, pid } from 'node:process'
import { coreKit, createProfile } from '../core-kit.ts'
import { fileKeychain } from '../file-keychain.ts'
import { someWork } from './migration-kit.ts'

/**
 * `node kill-child.ts FOLDER ADDRESS KEY before|after COUNT`, or `... key`: does a therapist's work and moves with it to the
 * practice; kills itself before the so-manieth call gets there or after it was done, or when the key is to be taken over.
 */
const [folder = '', address = '', key = '', moment = '', count = '0'] = argv.slice(2)
let calls = 0

const counting = (async (request: Request) => {
  const isLast = request.url.startsWith(address) && ++calls === Number(count)
  if (isLast && moment === 'before') kill(pid, 'SIGKILL')
  const response = await fetch(request)
  if (isLast) kill(pid, 'SIGKILL')
  return response
}) as typeof fetch

const keychain = fileKeychain(join(folder, 'keychain.json'))
const { set } = keychain
keychain.set = async (account, secret) => {
  if (moment === 'key' && account.startsWith('service-key')) kill(pid, 'SIGKILL')
  return set(account, secret)
}

const open = await coreKit({ folder: join(folder, 'profile') }).open({ keychain, fetch: counting })
if (open.core.state().phase === 'first_run') {
  await createProfile(open)
  await someWork(open)
}
const phase = async (): Promise<string> => (await open.call('moving.state', {})).phase
if ((await phase()) === 'none') await open.call('moving.look', { address, key })
if ((await phase()) === 'looked') {
  if ((await open.call('moving.state', {})).look === null) await open.call('moving.look', { address, key })
  await open.call('moving.send', {})
}
if ((await phase()) !== 'confirmed') await open.call('moving.confirm', {})
await open.until(async () => (await open.call('settings.get', {})).service_has_key)
await open.settled()
await open.core.close()
