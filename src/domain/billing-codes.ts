import data from './billing-codes.json' with { type: 'json' }

export interface Coded {
  readonly code: string
  readonly name: string
}

/**
 * `from` and `to`: face-to-face minutes, both included, for which the code can be billed. `to` is null without an upper limit.
 * CPT defines no minutes for 90791 and 90853; Afterword sets their limits.
 */
interface CptCode extends Coded {
  readonly from: number
  readonly to: number | null
  /** Types of session that suggest the code. */
  readonly for_types: readonly string[]
  /** Types of session that the therapist may also report with it. */
  readonly also_for?: readonly string[]
}

export const MIN_BILLABLE = 16

export const cptCodes: readonly CptCode[] = data.cpt
/** `with`: the CPT codes that an add-on code can be reported with. */
export const addOnCodes: readonly (Coded & { readonly with: readonly string[] })[] = data.add_ons
export const modifiers: readonly Coded[] = data.modifiers
/** Codes of the CMS place of service code set. */
export const placesOfService: readonly Coded[] = data.places

export const isReportable = ({ for_types, also_for = [] }: CptCode, sessionType: string): boolean =>
  for_types.includes(sessionType) || also_for.includes(sessionType)

export const fittingCodes = (sessionType: string, minutes: number): CptCode[] =>
  cptCodes.filter(
    ({ from, to, for_types }) => minutes >= from && (to === null || minutes <= to) && for_types.includes(sessionType),
  )

export const spanOf = ({ from, to }: CptCode): string => (to === null ? `${from} minutes or more` : `${from} to ${to} minutes`)
