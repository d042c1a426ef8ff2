import type { Participant } from '#contract/model/session.ts'
import type { SpeakerRole } from '#contract/model/transcript.ts'
import { foldName } from '#domain/names.ts'

/** Whose names may stand in a transcript. */
export interface KnownPeople {
  readonly therapist: string
  readonly client: { readonly display_name: string; readonly given_name: string | null; readonly family_name: string | null }
  readonly participants: readonly Participant[]
}

const therapistLabels = new Set([
  'therapist',
  'th',
  't',
  'counselor',
  'counsellor',
  'clinician',
  'psychologist',
  'psychotherapist',
  'doctor',
  'dr',
])
const clientLabels = new Set(['client', 'cl', 'c', 'patient', 'pt', 'p'])
const otherRoles = new Set([
  'partner',
  'spouse',
  'husband',
  'wife',
  'mother',
  'father',
  'mom',
  'dad',
  'parent',
  'guardian',
  'interpreter',
])

/** By the label's own meaning first, then by the names that are known; otherwise nobody guesses. */
export function roleOf(label: string, people: KnownPeople): SpeakerRole {
  const name = foldName(label)
  if (therapistLabels.has(name)) return 'therapist'
  if (clientLabels.has(name)) return 'client'
  if (otherRoles.has(name)) return 'other'
  const named = new Set<SpeakerRole>()
  if (isName(name, people.therapist)) named.add('therapist')
  const { display_name, given_name, family_name } = people.client
  if (isName(name, `${given_name ?? ''} ${family_name ?? ''}`) || isName(name, display_name)) named.add('client')
  for (const person of people.participants)
    if (isName(name, person.name)) named.add(person.role === 'client' ? 'client' : 'other')
  // A family name alone may be anybody's in the family.
  return named.size === 1 ? [...named][0]! : 'unknown'
}

/** Words of the whole name in their order, or its initials. */
function isName(name: string, full: string): boolean {
  const words = foldName(full).split(' ').filter(Boolean)
  if (name === '' || words.length === 0) return false
  let from = 0
  const isPart = name.split(' ').every((word) => {
    const at = words.indexOf(word, from)
    from = at + 1
    return at >= 0
  })
  return isPart || (words.length > 1 && name === words.map((word) => word[0]).join(''))
}
