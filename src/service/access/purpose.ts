import { AppError } from '#contract/errors.ts'
import { purposeOfUseSchema } from '#contract/model/purpose.ts'
import type { PurposeOfUse } from '#contract/model/purpose.ts'

/** @throws AppError `bad-request` */
export function purposeOf(header: string | undefined): PurposeOfUse | null {
  if (header === undefined) return null
  const purpose = purposeOfUseSchema.safeParse(header.trim().toUpperCase())
  if (!purpose.success)
    throw new AppError('bad-request', 'Purpose-Of-Use must be a code of HL7 PurposeOfUse, such as TREAT or HCOMPL.')
  return purpose.data
}
