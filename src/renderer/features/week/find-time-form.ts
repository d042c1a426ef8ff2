import type { MethodInput } from '#contract/bridge/methods.ts'
import type { Session, SessionType } from '#contract/model/session.ts'
import { midnight } from '#renderer/lib/use-now.ts'
import { weekStrings } from '#renderer/strings/week.ts'
import { localWall } from './local-wall.ts'

export interface FindTimeFields {
  readonly client_id: string | null
  readonly session_type: SessionType
  readonly modality: Session['modality']
  readonly minutes: string
  readonly wish: string
  readonly isWeekly: boolean
  readonly weeks: string
}

export const emptyFields: FindTimeFields = {
  client_id: null,
  session_type: 'individual',
  modality: 'in_person',
  minutes: '50',
  wish: '',
  isWeekly: false,
  weeks: '8',
}

const words = weekStrings.find

export function checkFields(fields: FindTimeFields): Partial<Record<'client_id' | 'minutes' | 'weeks', string>> {
  const within = (text: string, least: number, most: number): boolean => {
    const number = Number(text)
    return Number.isInteger(number) && number >= least && number <= most
  }
  return {
    ...(fields.client_id === null ? { client_id: words.clientMissing } : {}),
    ...(within(fields.minutes, 5, 480) ? {} : { minutes: words.lengthWrong }),
    ...(!fields.isWeekly || within(fields.weeks, 2, 52) ? {} : { weeks: words.weeksWrong }),
  }
}

/** Null while a field is wrong. Four weeks from tomorrow's midnight back to now are looked through. */
export function questionOf(fields: FindTimeFields, now: Date): MethodInput<'schedule.ask'> | null {
  if (fields.client_id === null || Object.keys(checkFields(fields)).length > 0) return null
  const wish = fields.wish.trim()
  return {
    mode: 'propose',
    client_id: fields.client_id,
    session_type: fields.session_type,
    modality: fields.modality,
    duration_minutes: Number(fields.minutes),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    window: { from: localWall(now), to: localWall(midnight(now, 28)) },
    ...(wish === '' ? {} : { text: wish }),
    ...(fields.isWeekly ? { rrule: `FREQ=WEEKLY;COUNT=${Number(fields.weeks)}` } : {}),
  }
}
