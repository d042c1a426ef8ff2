import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { systemClock, timestamp } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { mintKey } from '#service/access/api-key.ts'
import { insertKey } from '../store/api-keys.ts'
import { appendAudit, type AuditEvent } from '../store/audit.ts'
import { inPractice } from '../store/in-practice.ts'
import { countPractices, findPractice, onlyPractice, type Practice } from '../store/practices.ts'
import type { Database, Write } from '../store/tables.ts'
import { Mistake } from './server-settings.ts'
import { findPlace, type Say, withStore, writeKey } from './place.ts'
import type { Settings } from './settings.ts'

export function newOwnerKey(settings: Settings, log: Log, say: Say): Promise<number> {
  return withStore(settings, log, async (db, { keys }) => {
    const practice = await practiceNamed(db, settings.practice)
    const secret = await inPractice(db, practice, (write) => insertOwnerKey(write, practice, keys.pepper))
    say(`owner key: ${secret}`)
  })
}

async function practiceNamed(db: Database, id: string | undefined): Promise<string> {
  if (id !== undefined) return (await openPractice(db, id)).id
  const practice = await onlyPractice(db)
  if (practice === null) throw new Mistake('There is no practice yet: the first start prints its owner key.')
  const count = await countPractices(db)
  if (count > 1) throw new Mistake(`There are ${count} practices. Name one with --practice; "practices list" names them all.`)
  return (await openPractice(db, practice)).id
}

export async function openPractice(db: Database, id: string): Promise<Practice> {
  const practice = await findPractice(db, id)
  if (practice === null) throw new Mistake(`There is no practice ${id}. "practices list" names them all.`)
  if (practice.state !== 'open') throw new Mistake(`${practice.name} is not open in this store. "practices list" says more.`)
  return practice
}

export async function insertOwnerKey(write: Write, practice: string, pepper: Uint8Array): Promise<string> {
  const { id, secret, digest } = mintKey(pepper)
  const person_id = newId(systemClock)
  const roles = ['owner', 'clinician'] as const
  const key = { id, practice_id: practice, person_id, roles, digest, name: 'Owner, made by the operator' }
  await insertKey(write, key, timestamp(systemClock))
  await appendAudit(write, practice, byOperator('createApiKey', 'C', [id]))
  return secret
}

export function byOperator(operation: string, action: AuditEvent['action'], entities: readonly string[]): AuditEvent {
  return {
    recorded: timestamp(systemClock),
    operation,
    action,
    outcome: action === 'C' ? '201' : '200',
    agent: { person: 'operator', key: null, roles: [] },
    source: 'command line',
    entities,
    consent: null,
    purpose: null,
    request_id: newId(systemClock),
  }
}

export async function exportKey(settings: Settings, log: Log, say: Say, file: string): Promise<number> {
  const path = resolve(file)
  if (existsSync(path)) throw new Mistake(`${path} is there already; name a new file.`)
  const { key } = await findPlace(settings, log)
  writeKey(path, key)
  key.fill(0)
  say(`the key is in ${path}; keep it away from the data and its backups`)
  return 0
}
