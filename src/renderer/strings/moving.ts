import { isErrorCode } from '#contract/errors.ts'
import type { MovingDifference, MovingLook, MovingState, ServiceKeyState } from '#contract/bridge/moving.ts'
import { errorSentences } from './errors.ts'
import { messages } from './messages.ts'
import { formatDate, formatDayTime } from './time.ts'

const { moving } = messages
const { problems, progress, result, difference, waiting: waits } = moving
const fieldNames: Readonly<Record<string, string>> = moving.fields

const hostOf = (address: string | null): string | null => (address === null ? null : new URL(address).host)

export const movingStrings = {
  ...moving,
  confirm: ({ address }: MovingState): string => moving.confirm({ isBack: address === null }),
  confirmText: ({ address }: MovingState): string => moving.confirmText({ isBack: address === null }),
}

export function movingPlaces(state: MovingState | undefined): string | null {
  if (state?.phase !== 'sending' && state?.phase !== 'checked') return null
  return moving.places({ host: hostOf(state.address) })
}

export const movingHeading = ({ address }: MovingState): string => moving.heading({ host: hostOf(address) })

export function movingPerson({ person, practice }: MovingLook, address: string | null): string | null {
  if (address === null || person === null) return null
  const roles = person.roles.map((role) => (role === 'front_desk' ? moving.frontDesk : role))
  return moving.person({ name: person.name, roles, practice })
}

export function movingCounts({ send }: MovingLook): string {
  const { clients, sessions, consents, transcripts, notes, templates, sentence } = moving.counts
  const counts = [
    clients({ count: send.clients }),
    sessions({ count: send.sessions }),
    consents({ count: send.consents }),
    transcripts({ count: send.transcripts }),
    notes({ count: send.notes, signed: send.signed_notes, addenda: send.addenda }),
    ...(send.templates > 0 ? [templates({ count: send.templates })] : []),
  ]
  return sentence({ counts, recordings: send.recordings })
}

export function movingProblem(code: MovingLook['problems'][number]['code'], look: MovingLook): string {
  const { there, days, key_ends_at } = look
  const problem = problems[code]
  if (typeof problem === 'string') return problem
  return problem({ ...there, days, agreements: look.laptop_consents, date: formatDate(key_ends_at ?? '') })
}

export const movingProgress = ({ total, sent, checked }: MovingState): string =>
  sent < total ? progress.sent({ done: sent, total }) : progress.compared({ done: checked, total })

const dayTime = (at: string | null): string | null => (at === null ? null : formatDayTime(at))

export const movingWaiting = ({ reason, until }: NonNullable<MovingState['waiting']>): string =>
  reason === 'quota' ? waits.quota({ when: dayTime(until) }) : waits[reason]

export const movingResult = ({ total, differing }: MovingState): string =>
  differing === 0 ? result.same({ total }) : result.different({ same: total - differing, differing })

export function differenceTitle({ kind, client_name, session_at }: MovingDifference, nameOf: (name: string) => string): string {
  const name = client_name === null ? null : nameOf(client_name)
  return difference.title({ kind: moving.kinds[kind], name, time: dayTime(session_at) })
}

export function differenceText({ code, fields }: MovingDifference): string {
  if (code === 'parent-missing') return difference.parent
  if (code === 'signed-over-erased') return difference.signed
  if (code === 'differs')
    return difference.fields({ fields: fields.map((name) => fieldNames[name] ?? name.replaceAll('_', ' ')) })
  return isErrorCode(code) ? errorSentences[code].happened : difference.other
}

export const undoneText = ({ address, sent }: MovingState): string => moving.undone({ sent, host: hostOf(address) })

export function serviceKeyText({ state, ends_at, renews }: ServiceKeyState, text: string): string {
  if (state === 'revoked') return moving.serviceKey.revoked
  return ends_at === null ? text : moving.serviceKey.until({ text, renews, date: formatDate(ends_at) })
}
