/** A psychotherapy code with the face-to-face minutes it stands for (CPT time rule; DOMAIN.md section 3). */
export interface CptCode {
  readonly code: string
  readonly name: string
  /** Whole minutes, both ends included; `to` is null where there is no upper end. */
  readonly from: number
  readonly to: number | null
  /** Set where the code is for certain kinds of session only. */
  readonly for_types: readonly string[] | null
}

/** Under this many minutes nothing can be billed as psychotherapy. */
export const MIN_BILLABLE = 16

const talk = ['individual', 'crisis', 'consultation']

export const cptCodes: readonly CptCode[] = [
  { code: '90832', name: 'Psychotherapy, 30 minutes', from: 16, to: 37, for_types: talk },
  { code: '90834', name: 'Psychotherapy, 45 minutes', from: 38, to: 52, for_types: talk },
  { code: '90837', name: 'Psychotherapy, 60 minutes', from: 53, to: null, for_types: talk },
  { code: '90839', name: 'Psychotherapy for crisis, first 60 minutes', from: 30, to: null, for_types: ['crisis'] },
  { code: '90846', name: 'Family psychotherapy without the client', from: 26, to: null, for_types: ['couple', 'family'] },
  { code: '90847', name: 'Family psychotherapy with the client', from: 26, to: null, for_types: ['couple', 'family'] },
  { code: '90853', name: 'Group psychotherapy', from: 1, to: null, for_types: ['group'] },
  { code: '90791', name: 'Diagnostic evaluation', from: MIN_BILLABLE, to: null, for_types: ['intake', 'individual'] },
]

/** The codes whose minutes hold this length, in the order of the table. Which one is billed is the therapist's to say. */
export function codesFor(sessionType: string, minutes: number): CptCode[] {
  return cptCodes.filter(
    ({ from, to, for_types }) => minutes >= from && (to === null || minutes <= to) && (for_types?.includes(sessionType) ?? true),
  )
}

export function spanOf({ from, to }: CptCode): string {
  return to === null ? `${from} minutes or more` : `${from} to ${to} minutes`
}
