import type { Role } from '#contract/rest/route.ts'
import type { Database, Write } from './tables.ts'

export interface KeyRow {
  readonly id: string
  readonly practice_id: string
  readonly person_id: string
  readonly roles: readonly Role[]
  readonly digest: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

export async function findKey(db: Database, id: string): Promise<KeyRow | null> {
  const row = await db
    .selectFrom('api_keys')
    .select(['id', 'practice_id', 'person_id', 'roles', 'digest', 'expires_at', 'revoked_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : { ...row, roles: JSON.parse(row.roles) as Role[] }
}

export async function hasKeys(db: Database): Promise<boolean> {
  return (await db.selectFrom('api_keys').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function insertKey(
  db: Write,
  key: Pick<KeyRow, 'id' | 'practice_id' | 'person_id' | 'roles' | 'digest'> & { name: string },
  now: string,
): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({ ...key, roles: JSON.stringify(key.roles), created_at: now, expires_at: null, revoked_at: null, last_used_at: null })
    .execute()
}
