import type { BenefitCodes } from '#contract/model/coverage.ts'
import { samplePayerId } from '#contract/model/payer.ts'

export const sandboxPayer = { id: samplePayerId, name: 'Sandbox payer' } as const

export interface EligibilityInquiry {
  readonly trace: string
  readonly asked_at: number
  readonly payer: { readonly id: string; readonly name: string }
  readonly provider: { readonly npi: string; readonly organization_name: string }
  readonly subscriber: Person & { readonly member_id: string; readonly group_number: string | null }
  readonly dependent: (Person & { readonly relationship: 'spouse' | 'child' | 'other' }) | null
  /** `YYYY-MM-DD`; null means the day on which the payer answers. */
  readonly service_date: string | null
  readonly service_type_codes: readonly string[]
  readonly cpt_codes: readonly string[]
  readonly place_of_service: string | null
}

export interface Person {
  readonly given_name: string
  readonly family_name: string
  readonly date_of_birth: string
}

export interface EligibilityRaw {
  readonly media_type: 'application/edi-x12' | 'application/json'
  readonly text: string
  readonly payer: { readonly id: string | null; readonly name: string | null }
  readonly dates: readonly RawDate[]
  readonly references: readonly RawReference[]
  readonly benefits: readonly RawBenefit[]
  readonly rejections: readonly Rejection[]
}

export interface RawDate {
  readonly qualifier: string
  readonly start: string
  readonly end: string | null
}

export interface RawReference {
  readonly qualifier: string
  readonly value: string
}

/** AAA segment of X12 271: why a request was rejected. */
export interface Rejection {
  readonly code: string
  readonly followup: string
  readonly location: string
}

export interface RawBenefit extends Readonly<Omit<BenefitCodes, 'row'>> {
  readonly row: number
  readonly dates: readonly RawDate[]
  readonly references: readonly RawReference[]
  /** HSD segment: quantity per period. */
  readonly deliveries: readonly RawDelivery[]
  /** III segment with qualifier ZZ: places of service. */
  readonly places: readonly string[]
  /** Loop 2120: related entities. */
  readonly entities: readonly RawEntity[]
}

export interface RawDelivery {
  readonly quantity_type: string | null
  readonly quantity: string | null
  readonly time: string | null
}

export interface RawEntity {
  readonly kind: string
  readonly name: string | null
  readonly id: string | null
  readonly phone: string | null
}

export interface PayerGateway {
  readonly name: 'sandbox' | 'stedi'
  check(inquiry: EligibilityInquiry, signal: AbortSignal): Promise<EligibilityRaw>
  accepts(payerId: string): boolean
}

export interface PayerSettings {
  readonly kind: 'stedi'
  readonly address: string
  readonly key: string
  readonly provider: { readonly npi: string; readonly organization_name: string } | null
}

export const noGateway =
  'No payer gateway is set up. Whoever runs this service names one in its configuration; until then ask the payer by telephone or on its own site.'

export const isSandboxPayer = (payerId: string): boolean => payerId.trim().toUpperCase() === sandboxPayer.id
