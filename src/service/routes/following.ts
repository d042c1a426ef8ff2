import { requireMayWrite } from '../authority/limited-fields.ts'
import { requireReach } from '../authority/reach.ts'
import { changeFollowing } from '../booking/series.ts'
import type { HandlersOf, Services } from '../handler.ts'
import { worldZones } from '../schedule/zone.ts'
import { requireVersion } from '../stale.ts'
import { getSession } from '../store/sessions.ts'
import { named } from './clients.ts'

export function followingHandlers({ clock }: Pick<Services, 'clock'>): HandlersOf<'updateFollowing'> {
  return {
    updateFollowing: (call) => async (db) => {
      const { practice, params, body, now } = call
      await requireReach(db, call, 'sessions', params.id)
      const current = await getSession(db, practice, params.id)
      requireVersion(call.ifMatch, current)
      await requireMayWrite(db, call, 'session', { ...current, fields: Object.keys(named(body)) })
      const data = await changeFollowing(db, { practice, now, clock, zones: worldZones }, current, body)
      return { status: 200, data: { data }, touched: [...data.map(({ id }) => id), current.client_id] }
    },
  }
}
