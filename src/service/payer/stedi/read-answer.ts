import { AppError } from '#contract/errors.ts'
import { attempt } from '#base/control.ts'
import type { EligibilityRaw, RawBenefit, RawDate, RawEntity, Rejection } from '../port.ts'
import { dayOf, readResponse } from '../x12/response.ts'
import { z } from 'zod'

export function readStediAnswer(text: string): EligibilityRaw {
  const answer = stediAnswerSchema.safeParse(attempt(() => JSON.parse(text)))
  if (!answer.success) throw new AppError('engine-failed', 'The payer gateway answers something that is no eligibility answer.')
  const { x12 } = answer.data
  // The gateway chooses the trace number, so no trace number is passed for comparison.
  if (x12 !== null && x12.trimStart().startsWith('ISA')) return readResponse(x12, null)
  return fromJson(text, answer.data)
}

function fromJson(text: string, answer: StediAnswer): EligibilityRaw {
  const { payer, planInformation, subscriber, planDateInformation, benefitsInformation, dependents } = answer
  const group = planInformation?.groupNumber ?? subscriber?.groupNumber ?? null
  const whose = dependents.length > 0 ? 'dependent' : 'subscriber'
  return {
    media_type: 'application/json',
    text,
    payer: { id: payer?.payorIdentification ?? null, name: payer?.name ?? null },
    dates: datesOf(planDateInformation),
    references: group === null ? [] : [{ qualifier: '6P', value: group }],
    benefits: benefitsInformation.map((benefit, index) => benefitOf(benefit, index + 1, whose)),
    rejections: rejectionsOf(answer),
  }
}

/** The top-level list repeats the errors of the parts, so the parts count only if that list is empty. */
export function rejectionsOf({ errors, payer, provider, subscriber, dependents }: StediAnswer): Rejection[] {
  const named = (part: { aaaErrors: StediRejection[] } | null | undefined, loop: string) =>
    (part?.aaaErrors ?? []).map((rejection) => rejectionOf(rejection, loop))
  const all = errors.map((rejection) => rejectionOf(rejection, ''))
  if (all.length > 0) return all
  const ofDependents = dependents.flatMap((dependent) => named(dependent, '2100D'))
  return [...named(payer, '2100A'), ...named(provider, '2100B'), ...named(subscriber, '2100C'), ...ofDependents]
}

const followups: Readonly<Record<string, string>> = {
  'please correct and resubmit': 'C',
  'resubmission not allowed': 'N',
  'please resubmit original transaction': 'P',
  'resubmission allowed': 'R',
  'do not resubmit; inquiry initiated to a third party': 'S',
  'please wait 30 days and resubmit': 'W',
  'please wait 10 days and resubmit': 'X',
  'do not resubmit; we will hold your request and respond again shortly': 'Y',
}

function rejectionOf({ code, followupAction, location }: StediRejection, loop: string): Rejection {
  const said = followupAction ?? ''
  return {
    code: code ?? '',
    followup: followups[said.trim().toLowerCase()] ?? said,
    location: (location ?? loop).replace(/^Loop\s+/i, ''),
  }
}

function benefitOf(benefit: StediBenefit, row: number, whose: RawBenefit['whose']): RawBenefit {
  const one = benefit.eligibilityAdditionalInformation
  const places = [...(one == null ? [] : [one]), ...benefit.eligibilityAdditionalInformationList]
  const entities = benefit.benefitsRelatedEntity == null ? [] : [benefit.benefitsRelatedEntity]
  return {
    row,
    whose,
    eb: benefit.code ?? '',
    level: benefit.coverageLevelCode,
    stc: benefit.serviceTypeCodes,
    insurance_type: benefit.insuranceTypeCode,
    plan: benefit.planCoverage,
    time: benefit.timeQualifierCode,
    amount: benefit.benefitAmount,
    percent: benefit.benefitPercent,
    quantity_type: benefit.quantityQualifierCode,
    quantity: benefit.benefitQuantity,
    auth: benefit.authOrCertIndicator,
    in_network: benefit.inPlanNetworkIndicatorCode,
    procedure: benefit.compositeMedicalProcedureIdentifier?.procedureCode ?? null,
    messages: benefit.additionalInformation.flatMap(({ description }) => description ?? []),
    dates: datesOf(benefit.benefitsDateInformation),
    references: referencesOf(benefit.benefitsAdditionalInformation),
    deliveries: benefit.benefitsServiceDelivery.map(({ quantityQualifierCode, quantity, timePeriodQualifierCode }) => ({
      quantity_type: quantityQualifierCode,
      quantity,
      time: timePeriodQualifierCode,
    })),
    places: places.flatMap(({ codeListQualifierCode, industryCode }) =>
      codeListQualifierCode === 'ZZ' && industryCode !== null ? [industryCode] : [],
    ),
    entities: [...entities, ...(entities.length > 0 ? [] : benefit.benefitsRelatedEntities)].map((entity) => entityOf(entity)),
    segments: [JSON.stringify(benefit)],
  }
}

function entityOf(entity: StediBenefit['benefitsRelatedEntities'][number]): RawEntity {
  const phone = entity.contactInformation?.contacts.find(({ communicationMode }) => communicationMode === 'Telephone')
  const name = [entity.entityFirstname, entity.entityName].filter((part) => part !== null).join(' ')
  return {
    kind: entity.entityIdentifier ?? '',
    name: name === '' ? null : name,
    id: entity.entityIdentificationValue,
    phone: phone?.communicationNumber ?? null,
  }
}

const qualifiers: Readonly<Record<string, string>> = {
  plan: '291',
  planBegin: '346',
  planEnd: '347',
  eligibility: '307',
  eligibilityBegin: '356',
  eligibilityEnd: '357',
}

function datesOf(dates: Readonly<Record<string, unknown>> | null | undefined): RawDate[] {
  return Object.entries(dates ?? {}).flatMap(([name, value]) => {
    const qualifier = qualifiers[name]
    if (qualifier === undefined || typeof value !== 'string') return []
    const [start, end] = value.split('-').map(dayOf)
    return start == null || end === null ? [] : [{ qualifier, start, end: end ?? null }]
  })
}

function referencesOf(information: Readonly<Record<string, unknown>> | null | undefined): RawBenefit['references'] {
  const group = information?.['groupNumber']
  return typeof group === 'string' ? [{ qualifier: '6P', value: group }] : []
}

const text = z.union([z.string(), z.number()]).transform(String)
const words = text.nullish().transform((value) => value ?? null)
const list = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])

const contactsSchema = z.looseObject({
  contacts: list(z.looseObject({ communicationMode: words, communicationNumber: words })),
})

const entitySchema = z.looseObject({
  entityIdentifier: words,
  entityName: words,
  entityFirstname: words,
  entityIdentificationValue: words,
  contactInformation: contactsSchema.nullish(),
})

const datesSchema = z.record(z.string(), z.unknown()).nullish()

const benefitSchema = z.looseObject({
  code: words,
  coverageLevelCode: words,
  serviceTypeCodes: list(text),
  insuranceTypeCode: words,
  planCoverage: words,
  timeQualifierCode: words,
  benefitAmount: words,
  benefitPercent: words,
  quantityQualifierCode: words,
  benefitQuantity: words,
  authOrCertIndicator: words,
  inPlanNetworkIndicatorCode: words,
  compositeMedicalProcedureIdentifier: z.looseObject({ procedureCode: words }).nullish(),
  additionalInformation: list(z.looseObject({ description: words })),
  eligibilityAdditionalInformation: z.looseObject({ codeListQualifierCode: words, industryCode: words }).nullish(),
  eligibilityAdditionalInformationList: list(z.looseObject({ codeListQualifierCode: words, industryCode: words })),
  benefitsAdditionalInformation: z.record(z.string(), z.unknown()).nullish(),
  benefitsServiceDelivery: list(z.looseObject({ quantityQualifierCode: words, quantity: words, timePeriodQualifierCode: words })),
  benefitsDateInformation: datesSchema,
  benefitsRelatedEntity: entitySchema.nullish(),
  benefitsRelatedEntities: list(entitySchema),
})

const rejectionSchema = z.looseObject({ code: words, followupAction: words, location: words, description: words })
const rejectable = z.looseObject({ aaaErrors: list(rejectionSchema) })

export const stediAnswerSchema = z.looseObject({
  errors: list(rejectionSchema),
  payer: z.looseObject({ name: words, payorIdentification: words, aaaErrors: list(rejectionSchema) }).nullish(),
  provider: rejectable.nullish(),
  subscriber: z.looseObject({ groupNumber: words, aaaErrors: list(rejectionSchema) }).nullish(),
  dependents: list(rejectable),
  planInformation: z.looseObject({ groupNumber: words }).nullish(),
  planDateInformation: datesSchema,
  benefitsInformation: list(benefitSchema),
  x12: words,
})

type StediAnswer = z.infer<typeof stediAnswerSchema>
type StediBenefit = StediAnswer['benefitsInformation'][number]
type StediRejection = StediAnswer['errors'][number]
