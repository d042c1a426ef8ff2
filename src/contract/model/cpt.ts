/** A psychotherapy code and the minutes face to face for which it can be billed (time rule of the CPT manual). */
export interface CptCode {
  readonly code: string
  readonly name: string
  /** Whole minutes, `from` and `to` included. Null: no upper limit. */
  readonly from: number
  readonly to: number | null
  /** Session types the code may be used for; null: all. */
  readonly for_types: readonly string[] | null
}

/** Fewer minutes cannot be billed as psychotherapy, except in a group. */
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

/** Codes that fit the type and length of a session, in the order of the table. The therapist decides which one to bill. */
export function codesFor(sessionType: string, minutes: number): CptCode[] {
  return cptCodes.filter(
    ({ from, to, for_types }) => minutes >= from && (to === null || minutes <= to) && (for_types?.includes(sessionType) ?? true),
  )
}

export function spanOf({ from, to }: CptCode): string {
  return to === null ? `${from} minutes or more` : `${from} to ${to} minutes`
}
