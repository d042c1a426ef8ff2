import { sandboxPayer } from './sandbox/members.ts'

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
