import { type Clock, timestamp } from '#base/clock.ts'
import type { Route } from '#contract/rest/route.ts'
import { scopeFor, asOfNow } from '#service/access/authorization.ts'
import type { Call, Connection } from '#service/access/call.ts'
import type { Database } from '../store/tables.ts'
import { AppError } from '#contract/errors.ts'
import type { Caller } from '#service/kernel/caller.ts'
import type { Follower, PracticeWatch } from './practice-watch.ts'

export interface EventServices {
  readonly db: Database
  readonly clock: Clock
  readonly watch: PracticeWatch
  readonly closing: AbortSignal
}

export type Following = EventServices & { readonly take: TakePlace }

interface Parts {
  readonly db: Database
  readonly clock: Clock
  readonly route: Route
  readonly recheck: Connection['recheck']
}

export function streamCaller<Asked extends Pick<Call, 'caller' | 'purpose' | 'scope'>>(
  call: Asked,
  { db, clock, route, recheck }: Parts,
) {
  let asked = call
  let checked = call.caller.authority_version
  const renew = async (): Promise<void> => {
    const caller = await recheck()
    asked = { ...call, caller, scope: await scopeFor(db, caller, route, call.purpose, timestamp(clock)) }
    checked = caller.authority_version ?? checked
  }
  return {
    renew,
    asOfNow: <Result>(work: (call: Asked) => Promise<Result>) =>
      asOfNow(
        db,
        () => asked.caller,
        renew,
        () => work(asked),
      ),
    renewIfChanged: async (follower: Follower) => {
      const now = follower.state()?.authority_version
      const { ends_at, has_former_secret } = asked.caller
      const isOver = ends_at !== null && ends_at !== undefined && Date.parse(ends_at) <= clock.now()
      // The grace period of a replaced secret ends without a change in the store, so always check callers with such a secret.
      if (now !== undefined && now === checked && !isOver && has_former_secret !== true) return
      await renew()
      checked = asked.caller.authority_version ?? now
    },
  }
}

const MAX_STREAMS = 6

type TakePlace = (caller: Caller) => () => void

export function streamPlaces(most = MAX_STREAMS): TakePlace {
  const taken = new Map<string, number>()
  return ({ practice_id, person_id }) => {
    const name = `${practice_id} ${person_id}`
    const count = taken.get(name) ?? 0
    if (count >= most) throw new AppError('too-many-streams')
    taken.set(name, count + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const left = (taken.get(name) ?? 1) - 1
      if (left === 0) taken.delete(name)
      else taken.set(name, left)
    }
  }
}
