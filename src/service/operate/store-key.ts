import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { systemClock } from '#base/clock.ts'
import { replaceFile } from '#base/durable-file.ts'
import { newId } from '#base/ids.ts'
import type { Keychain } from '#base/keychain.ts'
import type { Log } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { Mistake } from './server-settings.ts'

const keyPattern = /^[0-9a-f]{64}$/
/** Names the keychain entry that holds the key. The file is in the data folder and moves with the data. */
const pointerSchema = z.object({ account: z.string().min(1) })
const pointerFile = 'store-key.json'

interface Asked {
  readonly data: string
  readonly key_file: string | undefined
  readonly key_store: 'auto' | 'keychain' | 'file'
  /** If a store exists, its key must be found; a new key could not open it. */
  readonly isThere: boolean
  readonly keychain: Keychain
  readonly log: Log
}

/**
 * The store key: from the given file, else from where it was first stored (the system keychain, or a file beside the data that
 * only its owner can read).
 * @throws Mistake with a message for the operator
 */
export async function storeKey(asked: Asked): Promise<Buffer> {
  const { data, key_file, isThere } = asked
  if (key_file !== undefined) {
    if (!existsSync(key_file)) throw new Mistake(`The key file ${key_file} is not there.`)
    return readKey(key_file)
  }
  const beside = `${data}.key`
  if (existsSync(beside)) return readKey(beside)
  const pointer = join(data, pointerFile)
  if (existsSync(pointer)) return fromKeychain(asked, pointer)
  if (isThere)
    throw new Mistake(
      `The key file ${beside} is gone; without it this data cannot be opened. Copy the exported key there, or name its file in AFTERWORD_SERVICE_KEY_FILE.`,
    )
  return (await newInKeychain(asked, pointer)) ?? newBeside(asked, beside)
}

export function writeKey(path: string, key: Uint8Array): void {
  replaceFile(path, `${Buffer.from(key).toString('hex')}\n`)
  chmodSync(path, 0o600)
}

export function readKey(path: string): Buffer {
  const text = readFileSync(path, 'utf8').trim()
  if (!keyPattern.test(text)) throw new Mistake(`The key file ${path} must hold 64 hexadecimal digits.`)
  return Buffer.from(text, 'hex')
}

async function fromKeychain({ keychain }: Asked, pointer: string): Promise<Buffer> {
  const { account } = pointerSchema.parse(JSON.parse(readFileSync(pointer, 'utf8')))
  const help = 'Unlock it, or name a file with the key (AFTERWORD_SERVICE_KEY_FILE).'
  try {
    const secret = await keychain.get(account)
    if (secret?.length === 32) return Buffer.from(secret)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new Mistake(`The key of this data is in the system keychain, which does not answer (${error.code}). ${help}`)
  }
  throw new Mistake(`The key of this data was put into the system keychain and is no longer there. ${help}`)
}

/** Null if no keychain is available and none is required. The key is read back before it is used. */
async function newInKeychain({ keychain, key_store, log }: Asked, pointer: string): Promise<Buffer | null> {
  if (key_store === 'file') return null
  if (!(await keychain.available())) {
    if (key_store === 'auto') return null
    throw new Mistake('This system offers no keychain that can be used now. Unlock it, or take --key-store file.')
  }
  const key = randomBytes(32)
  const account = `service-store/${newId(systemClock)}`
  await keychain.set(account, key)
  const back = await keychain.get(account)
  if (back === null || !key.equals(back)) throw new Mistake('The system keychain did not give back what was put into it.')
  replaceFile(pointer, `${JSON.stringify({ account })}\n`)
  log.warn('key.in-keychain', { advice: 'Keep a copy of the key elsewhere: the command "keys export FILE" writes one.' })
  return key
}

function newBeside({ log }: Asked, path: string): Buffer {
  const key = randomBytes(32)
  writeKey(path, key)
  log.warn('key.in-file', { file: path, advice: 'Keep a copy of this file elsewhere, and keep others from reading it.' })
  return key
}
