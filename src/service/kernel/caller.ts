import type { Role } from '#contract/rest/route.ts'

export type Plan = 'free' | 'professional' | 'enterprise'

export interface Caller {
  readonly practice_id: string
  readonly person_id: string
  readonly key_id: string | null
  readonly roles: readonly Role[]
  readonly plan: Plan
  readonly is_operator?: boolean
  readonly is_test: boolean
  /** True for a secret from before a rotation. Such a secret is valid for a grace period but can't change keys or roles. */
  readonly has_former_secret?: boolean
  /** The practice's authorization version at which these rights were read. They are outdated when the version changes. */
  readonly authority_version?: number
  readonly ends_at?: string | null
  /** `embedded`, which has access to all records; otherwise the remote address for the audit log, or `http` if it is unknown. */
  readonly source: string
}

const embeddedPractice = '00000000-0000-7000-8000-000000000001'

export const embeddedCaller: Caller = {
  practice_id: embeddedPractice,
  person_id: '00000000-0000-7000-8000-000000000002',
  key_id: null,
  roles: ['owner', 'clinician'],
  plan: 'enterprise',
  is_test: false,
  is_operator: true,
  source: 'embedded',
}
