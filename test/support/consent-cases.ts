import type { Participant } from '#contract/model/session.ts'

type Person = Participant

interface Form {
  readonly participant: Person
  readonly isRevoked?: boolean
}

/** Who was in the room, what was agreed to before, and whether the session may be used. The client is named `client`. */
export interface ConsentCase {
  readonly promise: string
  readonly client: string
  readonly present: readonly Person[]
  /** Oldest first. A revoked form is revoked before the next one is given. */
  readonly forms: readonly Form[]
  readonly isAgreed: boolean
}

const client = (name: string): Person => ({ name, role: 'client' })
const parent = (name: string): Person => ({ name, role: 'parent' })
const partner = (name: string): Person => ({ name, role: 'partner' })

/** The app and the service answer each of these alike. */
export const consentCases: readonly ConsentCase[] = [
  {
    promise: 'a name is the same with and without accents',
    client: 'Ana Lopez',
    present: [client('Ana Lopez'), partner('José Peña')],
    forms: [{ participant: client('Ana Lopez') }, { participant: partner('Jose Pena') }],
    isAgreed: true,
  },
  {
    promise: 'a name is the same with either apostrophe',
    client: 'Ana Lopez',
    present: [client('Ana Lopez'), partner('Pat O’Neil')],
    forms: [{ participant: client('Ana Lopez') }, { participant: partner("pat  O'Neil ") }],
    isAgreed: true,
  },
  {
    promise: 'the only client stays agreed after their name was corrected',
    client: 'Ana Lopez',
    present: [client('Ana Lopez')],
    forms: [{ participant: client('Anna Lopes') }],
    isAgreed: true,
  },
  {
    promise: 'the only client’s revocation under an earlier name counts',
    client: 'Ana Lopez',
    present: [client('Ana Lopez')],
    forms: [{ participant: client('Ana Lopez') }, { participant: client('Anna Lopes'), isRevoked: true }],
    isAgreed: false,
  },
  {
    promise: 'a client does not agree for a parent of the same name',
    client: 'John Smith',
    present: [client('John Smith'), parent('John Smith')],
    forms: [{ participant: client('John Smith') }],
    isAgreed: false,
  },
  {
    promise: 'a client and a parent of the same name agree each for themselves',
    client: 'John Smith',
    present: [client('John Smith'), parent('John Smith')],
    forms: [{ participant: client('John Smith') }, { participant: parent('John Smith') }],
    isAgreed: true,
  },
  {
    promise: 'a revocation counts whatever the person was called in the form',
    client: 'Ana Lopez',
    present: [client('Ana Lopez'), partner('Ben Lopez')],
    forms: [
      { participant: client('Ana Lopez') },
      { participant: partner('Ben Lopez') },
      { participant: { name: 'Ben Lopez', role: 'family' }, isRevoked: true },
    ],
    isAgreed: false,
  },
  {
    promise: 'a form given after a revocation counts again',
    client: 'Ana Lopez',
    present: [client('Ana Lopez')],
    forms: [{ participant: client('Ana Lopez'), isRevoked: true }, { participant: client('Ana Lopez') }],
    isAgreed: true,
  },
  {
    promise: 'names without letters are compared as they are',
    client: 'Ana Lopez',
    present: [client('Ana Lopez'), partner('***')],
    forms: [{ participant: client('Ana Lopez') }, { participant: partner('???') }],
    isAgreed: false,
  },
]
