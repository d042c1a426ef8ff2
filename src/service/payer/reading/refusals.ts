import type { Coverage } from '#contract/model/coverage.ts'
import type { Rejection } from '../port.ts'

/** AAA03 of 005010X279A1 and what to do about it, in words for whoever sits at the desk. */
const hints: Readonly<Record<string, string>> = {
  '04': 'Ask for fewer service types at once.',
  '15': 'The payer wants more about the person: give name, birth date and member id.',
  '33': 'Something in the request has a form the payer does not take. Check member id, names and date.',
  '35': 'This payer does not cover the person out of the network.',
  '41': 'The practice may not ask this payer. Sign up with it for eligibility checks.',
  '42': 'The payer cannot answer at the moment. It is asked again by itself; otherwise try later.',
  '43': 'Check the practice’s NPI, and that it is registered with this payer.',
  '44': 'Check the practice’s name.',
  '45': 'The payer wants the practice’s specialty.',
  '46': 'Check the practice’s telephone number.',
  '47': 'The payer does not know the practice’s state.',
  '48': 'The referring provider’s number is wrong.',
  '49': 'The provider is not the one the person chose as primary.',
  '50': 'The payer says this provider may not ask.',
  '51': 'The payer does not know this provider. Check the NPI.',
  '52': 'The service date is outside what the payer answers for.',
  '53': 'The payer takes one question at a time; ask for one service type.',
  '54': 'The payer does not take this service type or procedure code. Ask for the plan as a whole (30).',
  '55': 'The payer does not take this combination of codes.',
  '56': 'Check the service date.',
  '57': 'Check the service date: it is missing or not a date.',
  '58': 'Check the birth date.',
  '60': 'The birth date lies after the service date.',
  '61': 'The date of death lies before the service date.',
  '62': 'The service date is too far back or ahead for this payer.',
  '63': 'The service date is in the future; ask for today.',
  '64': 'Check the patient’s member id against the card.',
  '65': 'Check the patient’s name against the card.',
  '67': 'The payer finds no such patient. Check name and birth date against the card.',
  '68': 'Two members share this id. Give name and birth date exactly as on the card.',
  '69': 'The payer’s record and the patient’s do not agree. Call the payer.',
  '70': 'The payer’s record names another sex.',
  '71': 'Check the birth date against the card.',
  '72': 'Check the member id against the card, with all its letters.',
  '73': 'Check the name against the card.',
  '74': 'Check the subscriber’s sex with the payer.',
  '75': 'Check the name against the card; the payer finds no such subscriber.',
  '76': 'Two subscribers share this id. Give name and birth date exactly as on the card.',
  '77': 'The subscriber was found, the patient was not. Check who is insured with whom.',
  '78': 'The subscriber is not in this group or plan. Check the group number.',
  '79': 'Check the payer: its id is not known here, or it does not take such questions.',
  '80': 'The payer did not answer in time. It is asked again by itself; otherwise try later.',
  '97': 'The address does not fit.',
  T4: 'Check the payer’s name and id.',
}

const outages = new Set(['42', '80'])
/** Of the person that was named, not of the question. */
const notFound = new Set(['64', '65', '67', '71', '72', '73', '75', '77', '78'])

/** True where asking again may bring an answer: the payer is out for now, and says nothing worse. */
export function isOutage(rejections: readonly Rejection[]): boolean {
  const codes = rejections.map(({ code }) => code)
  return (
    codes.some((code) => outages.has(code)) && codes.every((code) => outages.has(code) || (code === '79' && codes.includes('42')))
  )
}

export const isNotFound = (rejections: readonly Rejection[]): boolean => rejections.some(({ code }) => notFound.has(code))

export function errorsOf(rejections: readonly Rejection[]): Coverage['errors'] {
  const retryable = isOutage(rejections)
  return rejections.map(({ code, followup, location }) => ({
    aaa: code,
    followup,
    location,
    retryable,
    hint: hints[code] ?? 'The payer gives a reason that is not on the list. Call the payer.',
  }))
}
