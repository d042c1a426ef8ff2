import { dailyQuota } from '#contract/model/plan.ts'
import type { Me } from '#contract/model/me.ts'
import type { Call, HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { findApiKey } from '../store/api-keys.ts'
import { findPracticeName } from '../store/practices.ts'
import { endOfDay, useToday } from '../store/quotas.ts'
import { findStaff } from '../store/staff.ts'
import type { Database } from '../store/tables.ts'

export function meHandlers({ consentPolicy }: Services): HandlersOf<'whoAmI'> {
  return {
    whoAmI: (call) => async (db) => {
      const { practice, caller } = call
      const { person_id, key_id, roles, plan, has_former_secret = false, ends_at = null } = caller
      const data: Me = {
        practice: { id: practice, name: (await findPracticeName(db, practice)) ?? '' },
        person_id,
        name: (await findStaff(db, practice, person_id))?.name ?? null,
        roles: [...roles],
        consent_policy: consentPolicy,
        plan,
        quota: await quotaOf(db, call),
        key: key_id === null ? null : await findApiKey(db, practice, key_id),
        has_former_secret,
        ends_at,
      }
      return { status: 200, data, touched: key_id === null ? [person_id] : [person_id, key_id] }
    },
  }
}

async function quotaOf(db: Database, { practice, caller, now }: Call<'whoAmI'>): Promise<Me['quota']> {
  const limit = dailyQuota[caller.plan]
  if (limit === null) return null
  const { day, used } = await useToday(db, practice, Date.parse(now))
  return { limit, used, resets_at: new Date(endOfDay(day)).toISOString() }
}
