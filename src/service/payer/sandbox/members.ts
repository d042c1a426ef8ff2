import { samplePayerId } from '#contract/model/payer.ts'

/** Fictional sandbox members by member id, each with the 271 segments of the patient level. Names are ignored. */
export interface SandboxMember {
  readonly shows: string
  readonly about: readonly string[]
  readonly lines: readonly string[]
}

export const sandboxPayer = { id: samplePayerId, name: 'Sandbox payer' } as const
/** No real payer uses this prefix, and the sandbox accepts nothing else. */
export const sandboxPrefix = 'AWTEST-'

const group = ['REF*6P*AW-100*SANDBOX GROUP', 'DTP*291*RD8*20260101-20261231']
const active = ['EB*1*IND*30*PR*SILVER PPO', 'EB*1*IND*MH']
const limits = [
  'EB*C*IND*30***23*1500*****Y',
  'EB*C*IND*30***29*430*****Y',
  'EB*G*IND*30***23*6000*****Y',
  'EB*G*IND*30***29*2100*****Y',
]
const copay = 'EB*B*IND*MH***27*20****N*Y'

export const sandboxMembers: Readonly<Record<string, SandboxMember>> = {
  'AWTEST-ACTIVE': {
    shows: 'Covered, $20 a visit in the network, 12 of 30 visits left, no authorization; video is not spoken of.',
    about: group,
    lines: [
      ...active,
      copay,
      'MSG*DEDUCTIBLE DOES NOT APPLY TO OFFICE VISITS',
      ...limits,
      'EB*F*IND*MH***23***VS*30',
      'EB*F*IND*MH***29***VS*12',
      'EB*A*IND*MH*****.4****N',
    ],
  },
  'AWTEST-INACTIVE': { shows: 'The plan has ended.', about: ['DTP*357*D8*20260331'], lines: ['EB*6*IND*30'] },
  'AWTEST-NOTFOUND': { shows: 'The payer finds no such person (AAA 75).', about: ['AAA*N**75*C'], lines: [] },
  'AWTEST-CARVEOUT': {
    shows: 'Covered, but another company answers for mental health.',
    about: group,
    lines: [
      'EB*1*IND*30*HM*GOLD HMO',
      'EB*U*IND*MH',
      'LS*2120',
      'NM1*VN*2*SANDBOX BEHAVIORAL*****PI*AWSANDBOX-BH',
      'PER*IC**TE*8005550100',
      'LE*2120',
    ],
  },
  'AWTEST-VISITS': {
    shows: 'Covered, but the visits of this year are used up.',
    about: group,
    lines: [...active, copay, 'EB*F*IND*MH***23***VS*20', 'EB*F*IND*MH***29***VS*0'],
  },
  'AWTEST-AUTH': {
    shows: 'Covered with the payer’s leave: authorization is required.',
    about: group,
    lines: [...active, 'EB*B*IND*MH***27*25****Y*Y', 'MSG*PRIOR AUTHORIZATION REQUIRED. CALL BEFORE THE FIRST VISIT'],
  },
  'AWTEST-CONFLICT': {
    shows: 'Covered, but two lines name different copayments; none is picked.',
    about: group,
    lines: [...active, copay, 'EB*B*IND*MH***27*35****N*Y'],
  },
  'AWTEST-VIDEO': {
    shows: 'Covered, also by video at home.',
    about: group,
    lines: [...active, 'EB*1*IND*MH', 'III*ZZ*10', copay],
  },
  'AWTEST-SHARE': {
    shows: 'Covered, the patient pays a fifth after the deductible; no amount can be said.',
    about: group,
    lines: [...active, 'EB*A*IND*MH*****.2****Y', ...limits],
  },
  'AWTEST-SILENT': { shows: 'Active, and nothing is said of mental health.', about: [], lines: ['EB*1*IND*30**BRONZE'] },
}

export const sandboxDown = 'AWTEST-DOWN'
/** `AWTEST-AAA43`, `AWTEST-AAA72N`: rejected with this AAA03 code and follow-up letter (default C). */
export const sandboxRefusal = /^AWTEST-AAA([0-9T][0-9])([CNPRSWXY]?)$/
