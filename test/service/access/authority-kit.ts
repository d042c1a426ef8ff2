import { deriveKey } from '#base/aead.ts'
import { newId } from '#base/ids.ts'
import type { Role } from '#contract/rest/route.ts'
import { mintKey } from '#service/access/api-key.ts'
import type { ServiceOptions } from '#service/compose/open-service.ts'
import { insertKey } from '#service/store/api-keys.ts'
import { inPractice } from '#service/store/in-practice.ts'
import { openStore } from '#service/store/open-store.ts'
import { ensurePractice } from '#service/store/practices.ts'
import { insertStaff } from '#service/store/staff.ts'
import type { Database, Write } from '#service/store/tables.ts'
import { openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'
import { storeUnderTest } from '../store-kit.ts'
import type { StoreKind } from '../store-kit.ts'

/** Somebody who calls. */
export interface Person {
  readonly id: string
  readonly practice: string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** Members that tests look into; of a record, a page, or a problem. */
export interface Body {
  readonly [member: string]: unknown
  readonly id: string
  readonly data: readonly { readonly id: string }[]
  readonly code?: string
  readonly detail: string
  readonly errors?: readonly { readonly pointer: string }[]
  readonly withheld?: readonly string[]
}

export interface Answer {
  readonly status: number
  readonly body: Body
  /** The whole answer as it was sent. */
  readonly text: string
  readonly headers: Headers
}

export interface AuthorityKit extends ServiceKit {
  /** The practice that the service made. */
  readonly practice: string
  /** A second one in the same store. */
  readonly elsewhere: string
  person(roles: readonly Role[], options?: { practice?: string; supervisor?: string }): Promise<Person>
  /** Writes past the service. */
  write<Result>(practice: string, work: (write: Write) => Promise<Result>): Promise<Result>
}

const long_ago = '2026-01-01T00:00:00.000Z'

export async function openAuthorityKit(
  options: Partial<ServiceOptions> = {},
  kind: StoreKind = storeUnderTest,
): Promise<AuthorityKit> {
  const kit = await openKit({ caller: 'api-keys', plan: 'enterprise', ...options }, kind)
  await answered(kit)
  const practice = (await kit.ask<{ id: string }>('select id from practices'))[0]!.id
  const elsewhere = newId()
  const db = await openStore(kit.store)
  const write = writerBeside(db, kit)
  await write(elsewhere, (at) => ensurePractice(at, elsewhere, 'Other', 'enterprise', long_ago))
  return {
    ...kit,
    practice,
    elsewhere,
    write,
    person: async (roles, { practice: whose = practice, supervisor } = {}) => {
      const id = newId()
      const key = mintKey(deriveKey(kit.key, 'api keys'))
      await write(whose, async (at) => {
        await insertKey(at, { id: key.id, practice_id: whose, person_id: id, roles, digest: key.digest, name: 'k' }, long_ago)
        const record = { id, created_at: long_ago, updated_at: long_ago, version: 1 }
        const person = { name: roles.join(' '), roles: [...roles], credential: null, npi: null, licence_states: [] }
        await insertStaff(at, whose, {
          ...person,
          ...record,
          supervisor_id: supervisor ?? null,
          shared_clients: [],
          status: 'active',
        })
      })
      return { id, practice: whose, call: callAs(kit, key.secret) }
    },
    close: async () => {
      await db.destroy()
      await kit.close()
    },
  }
}

export function callAs(kit: ServiceKit, secret: string): Person['call'] {
  return async (method, path, body, headers = {}) => {
    const response = await kit.fetch(method, `/v1${path}`, body, { ...headers, Authorization: `Bearer ${secret}` })
    const text = await response.text()
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Body, text, headers: response.headers }
  }
}

/**
 * The service in this very thread may hold SQLite's lock: waiting for it would hold the service up too. Once it has
 * answered, it holds no write open that this second connection could run into.
 */
function writerBeside(db: Database, kit: ServiceKit): AuthorityKit['write'] {
  return async (practice, work) => {
    await answered(kit)
    return inPractice(db, practice, work)
  }
}

const answered = (kit: ServiceKit) => callAs(kit, kit.ownerKey!)('GET', '')
