import type { Segment, Speaker } from '#contract/model/transcript.ts'
import type { DraftRequest } from '../port.ts'

/** One segment as a model is shown it: by number, under a name that tells the role and nobody's own. */
export interface Line {
  readonly number: number
  readonly segment: Segment
  readonly label: string
  readonly is_therapist: boolean
  readonly text: string
}

export function linesOf(request: Pick<DraftRequest, 'speakers' | 'segments'>): Line[] {
  const labels = labelsOf(request.speakers)
  const roles = new Map(request.speakers.map(({ id, role }) => [id, role]))
  return request.segments.flatMap((segment, index) => {
    const text = segment.text.replace(/\s+/g, ' ').trim()
    if (text === '') return []
    const id = segment.speaker_id ?? ''
    return [
      { number: index + 1, segment, label: labels.get(id) ?? 'Unknown voice', is_therapist: roles.get(id) === 'therapist', text },
    ]
  })
}

const roleWords = { therapist: 'Therapist', client: 'Client', other: 'Other person', unknown: 'Unknown voice' } as const

/** "Client", and "Client 1", "Client 2" where there are several. Names of people are not sent as names of voices. */
export function labelsOf(speakers: readonly Speaker[]): ReadonlyMap<string, string> {
  const seen = new Map<string, number>()
  return new Map(
    speakers.map(({ id, role }) => {
      const word = roleWords[role]
      const count = (seen.get(role) ?? 0) + 1
      seen.set(role, count)
      const isOne = speakers.filter((other) => other.role === role).length === 1
      return [id, isOne ? word : `${word} ${count}`]
    }),
  )
}
