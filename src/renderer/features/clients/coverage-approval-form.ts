import type { AuthorisationDraft } from '#contract/model/payer.ts'
import { authorisationStrings } from '#renderer/strings/coverage.ts'

const words = authorisationStrings.dialog

export interface ApprovalFields {
  readonly number: string
  readonly visits_approved: string
  readonly visits_used_before: string
  readonly starts_on: string
  readonly ends_on: string
  readonly cpt_codes: string
}

export const emptyApproval: ApprovalFields = {
  number: '',
  visits_approved: '',
  visits_used_before: '',
  starts_on: '',
  ends_on: '',
  cpt_codes: '',
}

export function wrongApproval(fields: ApprovalFields): Partial<Record<keyof ApprovalFields, string>> {
  const { number, visits_approved, visits_used_before, starts_on, ends_on } = fields
  return {
    ...(number.trim() === '' && { number: words.numberMissing }),
    ...(!isCount(visits_approved, 1) && { visits_approved: words.countWrong }),
    ...(!isCount(visits_used_before, 0) && { visits_used_before: words.countWrong }),
    ...(starts_on === '' && { starts_on: words.startsMissing }),
    ...(ends_on !== '' && ends_on < starts_on && { ends_on: words.endsWrong }),
    ...(codesOf(fields).some((code) => !/^[A-Z0-9]{5}$/.test(code)) && { cpt_codes: words.codesWrong }),
  }
}

function isCount(text: string, least: number): boolean {
  if (text.trim() === '') return true
  return /^\d{1,5}$/.test(text.trim()) && Number(text) >= least && Number(text) <= 10_000
}

export function draftOf(fields: ApprovalFields): Omit<AuthorisationDraft, 'client_id' | 'payer_id'> {
  const { number, visits_approved, visits_used_before, starts_on, ends_on } = fields
  return {
    number: number.trim(),
    visits_approved: visits_approved.trim() === '' ? null : Number(visits_approved),
    visits_used_before: Number(visits_used_before),
    starts_on,
    ends_on: ends_on === '' ? null : ends_on,
    cpt_codes: codesOf(fields),
    cancelled: false,
  }
}

const codesOf = ({ cpt_codes }: ApprovalFields): string[] =>
  cpt_codes
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((code) => code !== '')
