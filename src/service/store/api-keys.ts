import type { Selectable } from 'kysely'
import type { ApiKey } from '#contract/model/api-key.ts'
import { type Role, roles } from '#contract/rest/route.ts'
import { afterCursor, cursorFor } from './pages.ts'
import { byName } from './in-practice.ts'
import { type Page, selectIn } from './records.ts'
import type { Plan } from '#service/kernel/caller.ts'
import type { Placement } from './practices.ts'
import type { Database, Tables, Write } from './tables.ts'

export interface KeyRow extends Readonly<
  Pick<
    Selectable<Tables['api_keys']>,
    'id' | 'practice_id' | 'person_id' | 'mode' | 'digest' | 'previous_digest' | 'grace_until' | 'expires_at' | 'revoked_at'
  >
> {
  readonly roles: readonly Role[]
  readonly plan: Plan
  readonly authority_version: number
  readonly placement: Placement
  readonly peppers: readonly Uint8Array[]
}

export interface NewKeyRow extends Pick<KeyRow, 'id' | 'practice_id' | 'person_id' | 'roles' | 'digest'> {
  readonly name: string
  readonly mode?: 'live' | 'test'
  readonly expires_at?: string | null
  readonly renews_for_days?: number | null
}

export async function findKey(db: Database, id: string): Promise<KeyRow | null> {
  const row = await byName(db, id, (read) =>
    read
      .selectFrom('api_keys')
      .innerJoin('practices', 'practices.id', 'api_keys.practice_id')
      .select(['api_keys.id', 'practice_id', 'person_id', 'roles', 'mode', 'plan', 'digest', 'previous_digest', 'grace_until'])
      .select(['expires_at', 'revoked_at', 'authority_version', 'state', 'moved_to', 'key_peppers'])
      .where('api_keys.id', '=', id)
      .executeTakeFirst(),
  )
  if (row === undefined) return null
  const { state, moved_to, key_peppers, ...key } = row
  return { ...key, roles: JSON.parse(row.roles) as Role[], placement: { state, moved_to }, peppers: peppersIn(key_peppers) }
}

export function peppersIn(text: string | null): Uint8Array[] {
  return text === null ? [] : (JSON.parse(text) as string[]).map((pepper) => Buffer.from(pepper, 'base64'))
}

export async function hasKeys(db: Database, practice: string): Promise<boolean> {
  return (await selectIn(db, 'api_keys', practice).select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function insertKey(db: Write, key: NewKeyRow, now: string): Promise<void> {
  const usual = { mode: 'live', expires_at: null, renews_for_days: null } as const
  const unused = { rotated_at: null, previous_digest: null, grace_until: null, revoked_at: null, last_used_at: null }
  const row = { ...usual, ...key, ...unused, roles: JSON.stringify(key.roles), created_at: now }
  await db.insertInto('api_keys').values(row).execute()
}

export async function findApiKey(db: Database, practice: string, id: string): Promise<ApiKey | null> {
  const row = await selectIn(db, 'api_keys', practice).selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : apiKeyOf(row)
}

interface KeyQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly person_id?: string | undefined
  readonly roles: readonly Role[]
}

export async function listApiKeys(db: Database, practice: string, query: KeyQuery): Promise<Page<ApiKey>> {
  let select = selectIn(db, 'api_keys', practice).selectAll()
  if (query.person_id !== undefined) select = select.where('person_id', '=', query.person_id)
  for (const role of roles.filter((name) => !query.roles.includes(name)))
    select = select.where('roles', 'not like', `%"${role}"%`)
  for (const condition of afterCursor(query.cursor, 'created_at')) select = select.where(condition)
  const rows = await select
    .orderBy('created_at')
    .orderBy('id')
    .limit(query.limit + 1)
    .execute()
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  const next_cursor = rows.length > query.limit && last ? cursorFor('created_at', last.created_at, last.id) : null
  return { data: page.map(apiKeyOf), next_cursor }
}

type NewSecret = Pick<KeyRow, 'digest' | 'grace_until' | 'expires_at'> & { readonly rotated_at: string }

export async function rotateKey(db: Write, id: string, secret: NewSecret): Promise<void> {
  await db
    .updateTable('api_keys')
    .set((eb) => ({ ...secret, previous_digest: secret.grace_until === null ? null : eb.ref('digest') }))
    .where('id', '=', id)
    .execute()
}

const revoke = (db: Write, now: string) => {
  const revoked = { revoked_at: now, previous_digest: null, grace_until: null }
  return db.updateTable('api_keys').set(revoked).where('revoked_at', 'is', null)
}

export async function revokeKey(db: Write, id: string, now: string): Promise<void> {
  await revoke(db, now).where('id', '=', id).execute()
}

export async function revokeKeysOf(db: Write, practice: string, person: string, now: string): Promise<void> {
  await revoke(db, now).where('practice_id', '=', practice).where('person_id', '=', person).execute()
}

export async function withdrawRoles(db: Write, practice: string, person: string, lost: readonly Role[], now: string) {
  const keys = selectIn(db, 'api_keys', practice).select(['id', 'roles']).where('person_id', '=', person)
  for (const key of await keys.where('revoked_at', 'is', null).execute()) {
    const lent = JSON.parse(key.roles) as Role[]
    const left = lent.filter((role) => !lost.includes(role))
    if (left.length === 0) await revokeKey(db, key.id, now)
    const change = { roles: JSON.stringify(left) }
    if (left.length > 0 && left.length < lent.length)
      await db.updateTable('api_keys').set(change).where('id', '=', key.id).execute()
  }
}

export async function hasOtherOwnerKey(db: Database, practice: string, id: string, now: string): Promise<boolean> {
  return (await ownerKeys(db, practice, now)).some((key) => key.id !== id)
}

export async function isLastOwner(db: Database, practice: string, person: string, now: string): Promise<boolean> {
  const keys = await ownerKeys(db, practice, now)
  return keys.length > 0 && keys.every((key) => key.person_id === person)
}

async function ownerKeys(db: Database, practice: string, now: string) {
  const rows = await selectIn(db, 'api_keys', practice)
    .select(['id', 'person_id', 'roles'])
    .where('mode', '=', 'live')
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .execute()
  return rows.filter(({ roles }) => (JSON.parse(roles) as Role[]).includes('owner'))
}

export async function keyUsed(db: Write, id: string, now: string): Promise<void> {
  await db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', id).execute()
}

function apiKeyOf(row: Selectable<Tables['api_keys']>): ApiKey {
  const { digest: _digest, previous_digest: _previous, practice_id: _practice, roles, renews_for_days: days, ...shown } = row
  return { ...shown, renews_for_days: days === null ? null : Number(days), roles: JSON.parse(roles) as Role[] }
}
