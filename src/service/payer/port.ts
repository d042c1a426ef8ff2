import type { Payer } from '#contract/model/payer.ts'
import { sandboxPayer } from './sandbox/members.ts'

/** One question to a payer: is this person covered, for what, on that day. */
export interface EligibilityInquiry {
  /** Ours; the answer repeats it. */
  readonly trace: string
  /** Milliseconds since 1970. */
  readonly asked_at: number
  /** As the gateway names it. */
  readonly payer: { readonly id: string; readonly name: string }
  readonly provider: { readonly npi: string; readonly organization_name: string }
  readonly subscriber: Person & { readonly member_id: string; readonly group_number: string | null }
  /** The patient where it is not the subscriber. */
  readonly dependent: (Person & { readonly relationship: 'spouse' | 'child' | 'other' }) | null
  /** `YYYY-MM-DD`; null: the day the payer answers. */
  readonly service_date: string | null
  readonly service_type_codes: readonly string[]
  readonly cpt_codes: readonly string[]
  /** Where the visit takes place, as a code of CMS; null where nobody said. */
  readonly place_of_service: string | null
}

export interface Person {
  readonly given_name: string
  readonly family_name: string
  /** `YYYY-MM-DD` */
  readonly date_of_birth: string
}

/** What came back, before anybody made sense of it: codes as the payer wrote them, in its order. */
export interface EligibilityRaw {
  readonly media_type: 'application/edi-x12' | 'application/json'
  /** As it came over the wire. */
  readonly text: string
  readonly payer: { readonly id: string | null; readonly name: string | null }
  /** Of the patient's level first, then of the subscriber's. */
  readonly dates: readonly RawDate[]
  readonly references: readonly RawReference[]
  readonly benefits: readonly RawBenefit[]
  readonly rejections: readonly Rejection[]
}

export interface RawDate {
  readonly qualifier: string
  /** `YYYY-MM-DD` */
  readonly start: string
  readonly end: string | null
}

export interface RawReference {
  readonly qualifier: string
  readonly value: string
}

/** AAA: the payer would not or could not answer. */
export interface Rejection {
  readonly code: string
  readonly followup: string
  /** Loop of the 271, e.g. `2100C`. */
  readonly location: string
}

/** An EB line and what stands under it. */
export interface RawBenefit {
  /** Counted from 1 through the whole answer. */
  readonly row: number
  readonly whose: 'subscriber' | 'dependent'
  readonly eb: string
  readonly level: string | null
  readonly stc: readonly string[]
  readonly insurance_type: string | null
  readonly plan: string | null
  readonly time: string | null
  readonly amount: string | null
  readonly percent: string | null
  readonly quantity_type: string | null
  readonly quantity: string | null
  readonly auth: string | null
  readonly in_network: string | null
  readonly procedure: string | null
  readonly messages: readonly string[]
  readonly dates: readonly RawDate[]
  readonly references: readonly RawReference[]
  /** HSD: how many of what, over which time. */
  readonly deliveries: readonly RawDelivery[]
  /** III with qualifier ZZ: places of service. */
  readonly places: readonly string[]
  /** Loop 2120: who else has to do with it. */
  readonly entities: readonly RawEntity[]
  /** All that stands under the line, word for word. */
  readonly segments: readonly string[]
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

/** What a gateway can do for one payer. */
export interface PayerCapabilities {
  readonly eligibility: boolean
  readonly test_only: boolean
}

/** Who asks payers on the practice's behalf. */
export interface PayerGateway {
  readonly name: 'sandbox' | 'stedi'
  /** @throws AppError `payer-unavailable`, `engine-failed`, `engine-not-ready`; whatever `signal` was aborted with */
  check(inquiry: EligibilityInquiry, signal: AbortSignal): Promise<EligibilityRaw>
  /** Payers that this gateway itself can name. */
  payers(q: string): Pick<Payer, 'payer_id' | 'name'>[]
  capabilities(payerId: string): PayerCapabilities
}

/** Which gateway asks payers, as whoever runs the service has set it up. */
export interface PayerSettings {
  readonly kind: 'stedi'
  /** Before `/change/medicalnetwork/eligibility/v3`, e.g. `https://healthcare.us.stedi.com/2024-04-01`. */
  readonly address: string
  readonly key: string
  /** Who asks where a request does not say; null: each says. */
  readonly provider: { readonly npi: string; readonly organization_name: string } | null
}

export const noGateway =
  'No payer gateway is set up. Whoever runs this service names one in its configuration; until then ask the payer by telephone or on its own site.'

export const isSandboxPayer = (payerId: string): boolean => payerId.trim().toUpperCase() === sandboxPayer.id
