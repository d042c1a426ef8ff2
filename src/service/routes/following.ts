import { namingTheOther } from '#service/access/double-booking.ts'
import { requireMayWrite } from '#service/access/limited-fields.ts'
import { requireReach } from '#service/access/reach.ts'
import type { HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { requireVersion } from '#service/kernel/stale.ts'
import { getSession } from '../store/sessions.ts'
import { named } from './clients.ts'

export function followingHandlers({ clock }: Pick<Services, 'clock'>): HandlersOf<'updateFollowing'> {
  return {
    updateFollowing: async (call) => {
      const { changeFollowing } = await import('../booking/series.ts')
      return async (db) => {
        const { practice, params, body, now } = call
        await requireReach(db, call, 'sessions', params.id)
        const current = await getSession(db, practice, params.id)
        requireVersion(call.ifMatch, current)
        await requireMayWrite(db, call, 'session', { ...current, fields: Object.keys(named(body)) })
        const data = await namingTheOther(db, call, () => changeFollowing(db, { practice, now, clock }, current, body))
        return { status: 200, data: { data }, touched: [...data.map(({ id }) => id), current.client_id] }
      }
    },
  }
}
