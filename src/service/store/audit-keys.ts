import { createHash, createHmac, createSecretKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { DialectAdapter } from 'kysely'
import { deriveKey, open, seal } from '#base/aead.ts'
import type { Database } from './tables.ts'

export const CHAIN_START = '0'.repeat(64)

/** A span of events linked with another key, or without one; part of the sealed head. */
export interface EarlierLinks {
  readonly through: number
  readonly hash: string
  /** Link key in hex, of the store the practice came from. Null for unkeyed SHA-256, as older releases wrote it. */
  readonly key: string | null
}

export interface Head {
  readonly seq: number
  readonly hash: string
  readonly earlier: readonly EarlierLinks[]
}

export interface AuditKeys {
  link(practice: string): KeyObject
  sealHead(practice: string, head: Head): Buffer
  /** Null if the head was sealed with another key or for another practice, or was changed. */
  openHead(practice: string, sealed: Uint8Array): Head | null
}

/** Derives (HKDF) two keys per practice from the store's key: one for links, one for the head. */
export function openAuditKeys(storeKey: Uint8Array): AuditKeys {
  const master = createSecretKey(deriveKey(storeKey, 'audit chains'))
  const known = new Map<string, { readonly link: KeyObject; readonly head: KeyObject }>()
  return {
    link: (practice) => keysOf(practice).link,
    sealHead: (practice, head) => seal(keysOf(practice).head, Buffer.from(JSON.stringify(head)), boundTo(practice)),
    openHead: (practice, sealed) => {
      const text = open(keysOf(practice).head, sealed, boundTo(practice))
      return text === null ? null : (JSON.parse(text.toString()) as Head)
    },
  }

  function keysOf(practice: string) {
    const found = known.get(practice)
    if (found) return found
    const derived = {
      link: createSecretKey(deriveKey(master, `links ${practice}`)),
      head: createSecretKey(deriveKey(master, `head ${practice}`)),
    }
    known.set(practice, derived)
    return derived
  }
}

const boundTo = (practice: string): Buffer => Buffer.from(`audit head ${practice}`)

/** HMAC-SHA256 over practice, number, previous link, and event; unkeyed SHA-256 for events of older releases. */
export function linkOf(key: KeyObject | null, practice: string, seq: number, previous: string, event: string): string {
  if (key === null) return createHash('sha256').update(previous).update(event).digest('hex')
  return createHmac('sha256', key).update(`${practice}\n${seq}\n${previous}\n${event}`).digest('hex')
}

export function headAtMigration(last: { readonly seq: number; readonly hash: string } | undefined): Head {
  if (last === undefined) return { seq: 0, hash: CHAIN_START, earlier: [] }
  const { seq, hash } = last
  return { seq, hash, earlier: [{ through: seq, hash, key: null }] }
}

const ofStores = new WeakMap<DialectAdapter, AuditKeys>()

export function setAuditKeys(db: Database, keys: AuditKeys): void {
  ofStores.set(db.getExecutor().adapter, keys)
}

export function auditKeysOf(db: Database): AuditKeys {
  const keys = ofStores.get(db.getExecutor().adapter)
  if (keys === undefined) throw new Error('the store was opened without its audit keys')
  return keys
}
