import type { ServiceClient } from '#client/client.ts'
import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { MethodRequest } from '#contract/bridge/methods.ts'
import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { AppError } from '#contract/errors.ts'
import type { Availability } from '#contract/model/availability.ts'

interface Parts {
  readonly client: () => ServiceClient
  readonly therapistId: () => string
  readonly clock: Clock
}

/** Kept by the service; what it last said is remembered for as long as the app is open, and told apart. */
export function createWorkingTime({ client, therapistId, clock }: Parts) {
  let last: WorkingTime | null = null
  return { read, setHours, addTimeOff, removeTimeOff }

  async function read(): Promise<WorkingTime> {
    try {
      const kept = await allKept()
      const hours = kept.find((one) => one.kind === 'hours' && one.clinician_id === therapistId()) ?? null
      const away = kept.filter((one) => one.kind === 'closure' || (one.kind === 'time_off' && one.clinician_id === therapistId()))
      last = { hours, away, is_current: true }
      return last
    } catch (error) {
      // Nobody asks it about anything but times that are taken.
      if (error instanceof AppError && error.code === 'not-offered') return { hours: null, away: [], is_current: true }
      if (last === null || !(error instanceof AppError) || error.code !== 'service-unreachable') throw error
      return { ...last, is_current: false }
    }
  }

  async function allKept(): Promise<Availability[]> {
    const found: Availability[] = []
    let cursor: string | null = null
    do {
      const query = { clinician_id: therapistId(), limit: 200, ...(cursor === null ? {} : { cursor }) }
      const page: { data: Availability[]; next_cursor: string | null } = (await client().call('listAvailability', { query })).data
      found.push(...page.data.filter(({ status }) => status === 'active'))
      cursor = page.next_cursor
    } while (cursor !== null)
    return found
  }

  async function setHours(hours: MethodRequest<'schedule.setHours'>): Promise<WorkingTime> {
    const { hours: before } = await read()
    const body = { kind: 'hours' as const, clinician_id: therapistId(), ...hours }
    const version = before === null ? {} : { ifMatch: before.version }
    await client().call('putAvailability', { params: { id: before?.id ?? newId(clock) }, body, ...version })
    return read()
  }

  async function addTimeOff(off: MethodRequest<'schedule.addTimeOff'>): Promise<WorkingTime> {
    const body = { kind: 'time_off' as const, clinician_id: therapistId(), ...off }
    await client().call('putAvailability', { params: { id: newId(clock) }, body })
    return read()
  }

  async function removeTimeOff({ id }: { id: string }): Promise<WorkingTime> {
    const { data } = await client().call('getAvailability', { params: { id } })
    if (data.kind !== 'time_off') throw new AppError('not-found')
    await client().call('putAvailability', { params: { id }, body: { ...data, status: 'withdrawn' }, ifMatch: data.version })
    return read()
  }
}
