import type { DraftRequest } from '#service/language/port.ts'
import type { SessionTime } from '../appointment.ts'
import { factsOfClients } from '../clients.ts'
import { followsRisk } from '../denials.ts'
import type { Exchange } from '../exchanges.ts'
import { termWeights } from '../interest.ts'
import { factsOfPairs } from '../pairs.ts'
import { factsOfPlan } from '../plan.ts'
import { readRoom } from '../room.ts'
import type { SessionView } from '../session.ts'
import type { Fact, Room } from '../types.ts'
import { factsOfClinician } from './clinician.ts'
import type { Visit } from './visit.ts'
import { factsOfPatient, factsOfQuestions } from './patient.ts'
import { visitRisk } from './risk.ts'
import { spokenPronouns, zonesOf } from './zones.ts'

/** The room read again as a visit: finer sentences, all of it work, and the patient as the clinician speaks of them. */
export function readVisit(request: DraftRequest, first: Room): Room {
  const pronouns = request.client?.pronouns ?? spokenPronouns(first.sentences)
  const client =
    request.client === null
      ? { id: '', display_name: 'the patient', given_name: 'the patient', pronouns }
      : { ...request.client, pronouns }
  const room = readRoom({ ...request, client }, true)
  return { ...room, opening: 0, closing: room.turns.length - 1 }
}

export function factsOfVisit(view: SessionView, exchanges: readonly Exchange[], held: SessionTime | null): Fact[] {
  const { room } = view
  const clinician = room.therapist
  const patient = room.clients[0] ?? room.people.find((person) => person.role === 'other')
  if (!clinician || !patient) return []
  const visit: Visit = {
    view,
    patient: { ...patient, name: patient.role === 'client' ? patient.name : 'the patient', isOneOfSeveral: false },
    clinician,
    writer: { ...clinician, name: 'the clinician' },
    ...zonesOf(room),
  }
  const [ofRisk, others] = partition(exchanges, (exchange) => isOnRisk(view, exchange))
  return [
    ...factsOfRisk(view, exchanges, ofRisk),
    ...factsOfClinician(visit),
    ...factsOfPatient(visit),
    ...factsOfQuestions(visit, others),
    ...agreedByAsking(view, held),
  ]
}

/** "Could you keep the diary?" "Same time in a fortnight?": plans that are put as questions. */
function agreedByAsking(view: SessionView, held: SessionTime | null): Fact[] {
  return factsOfPlan(view, held).filter(
    (fact) =>
      fact.kind === 'next' || fact.spans.some((span) => span.sentence.isQuestion && span.sentence.person.role === 'therapist'),
  )
}

/** Risk is told in a visit as everywhere else: asked, answered and said, word for word. */
function factsOfRisk(view: SessionView, exchanges: readonly Exchange[], ofRisk: readonly Exchange[]): Fact[] {
  const weights = termWeights(view.room)
  const cues = factsOfClients(view, exchanges, weights).filter(
    (fact) => fact.safety && fact.spans.some((span) => visitRisk(span.sentence.raw) !== null),
  )
  return [...factsOfPairs(view, ofRisk, weights), ...cues].map((fact) => ({ ...fact, must: true }))
}

function isOnRisk(view: SessionView, exchange: Exchange): boolean {
  return visitRisk(exchange.question.body) !== null || followsRisk(view, exchange)
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter((item) => isFirst(item)), items.filter((item) => !isFirst(item))]
}
