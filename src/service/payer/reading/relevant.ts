import type { RawBenefit } from '../port.ts'

export type Network = 'in' | 'out'

export interface Asked {
  readonly cpt_codes: readonly string[]
  readonly network: 'auto' | Network
  readonly place_of_service: string | null
}

const office = '11'
/** CMS: 10 telehealth in the patient's home, 02 elsewhere. */
export const telehealthPlaces: readonly string[] = ['10', '02']

/** Service type codes, closest to outpatient therapy first: psychotherapy, outpatient mental health, mental health. */
const mentalHealth = [['A6'], ['CF', 'A8'], ['MH', 'A4']] as const
const officeVisit = '98'
const wholePlan = '30'

export type TierList = readonly (readonly RawBenefit[])[]

export interface Tiers {
  readonly mentalHealth: TierList
  readonly officeVisit: TierList
  readonly wholePlan: TierList
}

export function tiersOf(benefits: readonly RawBenefit[], asked: Asked): Tiers {
  const patients = benefits.filter(({ whose }) => whose === 'dependent')
  const mine = (patients.length > 0 ? patients : benefits).filter((benefit) => isForPlace(benefit, asked))
  const codes = new Set(asked.cpt_codes.map((code) => code.toUpperCase()))
  const asProcedure = mine.filter(({ procedure }) => procedure !== null && codes.has(procedure.toUpperCase()))
  const general = mine.filter(({ procedure }) => procedure === null)
  const having = (types: readonly string[]) => general.filter(({ stc }) => types.some((type) => stc.includes(type)))
  return {
    mentalHealth: [asProcedure, ...mentalHealth.map((types) => having(types))],
    officeVisit: [having([officeVisit])],
    wholePlan: [general.filter(({ stc }) => stc.length === 0 || stc.includes(wholePlan))],
  }
}

function isForPlace({ places }: RawBenefit, { place_of_service }: Asked): boolean {
  if (places.length === 0) return true
  const wanted = telehealthPlaces.includes(place_of_service ?? '') ? telehealthPlaces : [place_of_service ?? office]
  return wanted.some((place) => places.includes(place))
}

/** X12 271, element EB12: Y in network, N out of network, W both, U or absent: not stated. */
export function holdsIn({ in_network }: RawBenefit, network: Network): boolean {
  return in_network === 'W' || in_network === (network === 'in' ? 'Y' : 'N')
}

export const within = (tiers: Tiers, keep: (benefit: RawBenefit) => boolean): Tiers =>
  mapped(tiers, (list) => list.map((tier) => tier.filter(keep)))

export function onSide(tiers: Tiers, network: Network | 'unknown'): Tiers {
  const isUnsaid = ({ in_network }: RawBenefit): boolean => in_network === null || in_network === 'U'
  if (network === 'unknown') return within(tiers, isUnsaid)
  return mapped(tiers, (list) =>
    list.flatMap((tier) => [tier.filter((benefit) => holdsIn(benefit, network)), tier.filter(isUnsaid)]),
  )
}

function mapped({ mentalHealth: near, officeVisit: visit, wholePlan: plan }: Tiers, change: (list: TierList) => TierList): Tiers {
  return { mentalHealth: change(near), officeVisit: change(visit), wholePlan: change(plan) }
}

export const isIndividual = ({ level }: RawBenefit): boolean => level === null || level === 'IND'
