import { z } from 'zod'

/** The JSON of `POST /change/medicalnetwork/eligibility/v3`, as far as it is read here; everything else is let pass. */

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
  /** The payer's own words, where the gateway hands them on. */
  x12: words,
})

export type StediAnswer = z.infer<typeof stediAnswerSchema>
export type StediBenefit = StediAnswer['benefitsInformation'][number]
export type StediRejection = StediAnswer['errors'][number]
