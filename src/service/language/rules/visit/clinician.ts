import { factOf, written } from '../facts.ts'
import { pronounClashes } from '../third-person.ts'
import { riskTopic } from '../lexicon/risk.ts'
import { medicationChange, mentionsMedication } from '../lexicon/medication.ts'
import { numbersIn } from '../numbers.ts'
import { isCleanQuote, lengthOf, quoted, spanOf, textOf, wholeSpan } from '../quotes.ts'
import { hasStale } from '../session.ts'
import { wordsOf } from '../tokens.ts'
import type { Fact, Sentence, Span } from '../types.ts'
import { isBaseVerb } from '../verbs.ts'
import {
  background,
  bodyParts,
  bodySymptoms,
  clinicalWeight,
  conditions,
  examination,
  tests,
  treatment,
  vitals,
} from './lexicon.ts'
import { explained, isListOfRisks } from './explained.ts'
import { lengthScore } from './visit.ts'
import type { Visit } from './visit.ts'
import { asClinician, bodyOf } from './voice.ts'
import { asWritten } from './written.ts'

/** In a visit, and only there, what the clinician states are findings, an assessment and a plan. */
export function factsOfClinician(visit: Visit): Fact[] {
  return visit.view.room.sentences.flatMap((sentence) => {
    if (sentence.person !== visit.clinician || !isStatement(sentence) || hasStale(visit.view, sentence)) return []
    const body = bodyOf(sentence.clean)
    const length = wordsOf(body).length
    if (length < 3 || length > 60 || ofTheMoment.test(body) || courtesy.test(body) || isBroken(body)) return []
    const fact = explained(visit, sentence, body) ?? planned(visit, sentence, body) ?? observed(visit, sentence, body)
    return fact ? [fact] : []
  })
}

function isStatement(sentence: Sentence): boolean {
  return (
    !sentence.isQuestion &&
    !sentence.isInstruction &&
    !sentence.isHumour &&
    !(sentence.isSmallTalk && clinicalWeight(sentence.clean) === 0)
  )
}

/** A start without its end, another's words under the clinician's name, or an examination under way. */
function isBroken(body: string): boolean {
  return (
    openEnd.test(body) ||
    ofOwnBody.test(body) ||
    underWay.test(body) ||
    asksInside.test(body) ||
    repaired.test(body) ||
    (/^looking at\b/i.test(body) && !/\b(?:is|are|no|not|looks?|shows?|see|appears?|normal|clear|there)\b/i.test(body)) ||
    (wordsOf(body).length < 4 && treatment.test(body) && !/\d/.test(body)) ||
    /\b(?:you're|you are|it's|it is) (?:your|you|it|the \w+ (?:is|are))\b|\bthere is no (?:\w+ ){0,2}there\b/i.test(body) ||
    /^(?:on|in|for|with|as far as) (?:[\w'-]+ ){0,7}(?:exam(?:ination)?|problems?|x-?rays?|labs?)$/i.test(body) ||
    (/^(?:when|if|because|while|since|after|before)\b/i.test(body) && wordsOf(body).length < 9)
  )
}

export const openEnd =
  /(?<!\bgoing )\b(?:sudden|hopefully|luckily|maybe|some|any|my|your|their|its|very|pretty|kind|sort|being|doing|getting|they|he|she|i|we|you|not|for|with|in|on|at|from|by|about|if|when|where|which|who|what|how|is|was|are|were|has|have|had|will|would|could|should|can|going|because|since|like|just|really|also|called|called a)$/i
/** A question that goes on after a statement, written down without its mark. */
const asksInside =
  /\S\s+(?:what about|how about|how (?:is|are|does|do) (?:that|it|you)|what (?:does|is|are|do) (?:that|this|it|you)\b(?! (?:is|are|have))|(?:is|are) there (?:a|an|any|some)\b|do you (?:have|feel|think|want|remember|know)|when (?:was|did) (?:the|you|it)|did you|(?:has|have) (?:\w+ ){1,3}yet$|have you (?:ever|been|had|noticed)|are you (?:having|feeling|taking|able))\b/i
/** "These deform these deformities": begun once more. */
const repaired = /\b(these|this|those|the|your|my|an?) (\p{L}{3,}) \1 \2/iu
const ofOwnBody =
  /\b(?:i (?:was|had|have had|feel|felt|hurt|fell|take|took)|i've (?:been|had)|told me|sent me|gave me|my (?:pain|leg|arm|back|knee|head|chest|stomach|wife|husband|doctor|mother|father|blood))\b/i
const underWay =
  /\blistening (?:to|in)\b|^(?:have|has|do|does|did|are|is|was|were|can|could|would|will) (?:you|there|it|that|the|your)\b|\b(?:going to|gonna|let me|want to|wanna)(?: just| quickly)* (?:take a (?:listen|look)|listen|look|press|feel|check (?:you|your)|call out|calling)|\bcalling out\b|\bdeep breath\b|\btake a (?:listen|look)\b|\bhey \w+\b|\blet's see\b/i

/** What is said to get through the visit: examining, looking things up, handing over. */
const ofTheMoment =
  /^(?:(?:i'm|i am|we're|we are)(?: just)? (?:going to|gonna)|i (?:just )?(?:want to|wanted to|would like to|need to)|i'd (?:just )?like to|i'll|we'll|let me|let's|can (?:i|you)|you can|if you (?:could|can|want to|wouldn't)|go ahead and) ?(?:just |also |go ahead and |do |quickly |first |then |now |start (?:by|with) )*(?:take a (?:quick )?(?:listen|look|peek)|(?:have|having) a look|listen|look (?:at|in|over)|a quick|quick|let you know|examine|exam\b|physical exam|(?:an?|my|the|your) (?:quick )?(?:physical )?exam|talk|tell you|discuss|go (?:over|through|ahead and (?:do|look|listen|examine))|check (?:you (?:out|over)|out|a few|some|your heart|things)|pull (?:up|that)|see (?:what|if you)|ask|get you (?:checked|scheduled) out|review|feel|press|push|touch|tap|move|bend|lift|sit|lie|lay|stand|hop|turn|hold|squeeze|relax|open|close|roll|explain|show|start (?:by|with|off|out|here|there)|step out|walk you|be (?:right )?back|come in|grab|wash|finish|write that down|make a note|document)\b/i
const courtesy =
  /^(?:hi|hello|hey|good (?:morning|afternoon|evening|to see|to hear)|nice to|it's (?:good|nice|great) to|thanks?|thank you|you're welcome|see you|bye|have a (?:good|great|nice)|take care|no problem|sounds (?:good|great|like a plan)|that (?:sounds|is|was)? ?(?:good|great|fine|nice|funny|fun|awesome|perfect)\b.{0,12}$|i'm (?:so |really |very )?(?:sorry|sure|glad|happy|pleased|dr|doctor)|i (?:understand|see|hear you|know|get it|remember|love|hope|bet|agree)\b|sorry|yes|no\b|of course|don't worry|do(?:n't)? you|does (?:that|this)|any (?:other )?questions|let me know|great job|good job|well done|tell me|go ahead|take a (?:deep )?breath|deep breath|push|pull|squeeze|lie|lay|sit|look (?:up|down|straight|at me)|open (?:your|up)|say|follow my|kick|bend|stand|turn|relax|hold|show me|breathe|can you|could you|would you|may i|hey \w+|how|what|the nurse|welcome|come (?:in|with|on)|right (?:here|there|this way)|and finalize|order the|that's (?:good|great|fine|okay|right|it|all|awesome|fair|exactly|not bad|wonderful|perfect|normal to))\b/i

/** After these comes what is to be done, and the note says it as an order. */
const orders =
  /^(?:(?:what|the (?:first|next|other|only) thing)[^.]{0,30}? (?:is|is to) )?(?:(?:i|we)(?:'m| am|'re| are)? ?(?:just |also |probably |certainly )*(?:going to|gonna|will|'ll|would like to|'d like to|want to|need to)|i'll|we'll|let's|let us) (?:just |also |probably |definitely |go ahead and |like to |have to |want to |try to |then )*(.+)$/i
const toPatient =
  /^(?:(?:what )?(?:i|we)(?:'d| would)? ?(?:just |also |really )*(?:'d like|would like|like|want|need|'m going to have|am going to have|'ll have|will have|'re going to have|are going to have|'d have|'m gonna have|going to have|have|encourage|advise|urge|ask) (?:for )?you(?: to(?: do is)?)?|you(?:'ll| will)? ?(?:just |also |really |definitely )*(?:should|need to|have to|must|ought to|need)|please|make sure (?:that )?you|try to|be sure to) (?:just |also |definitely |go ahead and |please )*(.+)$/i
const recommends =
  /^(?:(?:so |at this point,? )?(?:i|we)(?:'d| would|'m going to|'re going to| am going to| are going to| will|'ll)? (?:also |strongly |just |do )*(?:recommend|suggest|advise|propose)(?: that)?(?: we| you)?|(?:at this point,? )?my (?:recommendation|advice|plan|suggestion) (?:is|would be)(?: to| that)?|the plan is(?: to)?|i think (?:we|you|it) (?:should|can|could|would be)(?: (?:best|good|a good idea))?(?: to)?) (.+)$/i
const orderVerb =
  /^(?:continue|order|start|restart|stay|increase|decrease|refer|prescribe|send|get|give|put|schedule|repeat|check|recheck|obtain|draw|stop|hold|switch|change|keep|add|try|have|follow|see|do|set|refill|write|take|use|apply|avoid|limit|monitor|track|weigh|call|come|return|wear|ice|rest|elevate|stretch|exercise|drink|eat|cut|reduce|taper|adjust|remove|inject|perform|request|arrange|consult|treat|proceed|consider|watch|wait|make|place|administer|discontinue|begin|resume|complete|finish|test|culture|x-ray|biopsy|screen|vaccinate|help|work|bring|log|record|measure|report|contact|go|be|talk|discuss|provide|plan|aim|observe|bump|renew|maintain)$/i

function planned(visit: Visit, sentence: Sentence, body: string): Fact | null {
  const isLate = sentence.index >= visit.planFrom
  const forPatient = toPatient.exec(body)?.[1]
  const recommended = recommends.exec(body)?.[1]
  const ordered = forPatient === undefined && recommended === undefined ? orders.exec(body)?.[1] : undefined
  const bare = orderVerb.test(wordsOf(body)[0] ?? '') && isLate ? body : undefined
  const rest = forPatient ?? recommended ?? ordered ?? bare
  if (rest === undefined || /^be \w+ing\b/i.test(rest)) return isLate ? spokenPlan(visit, sentence, body) : null
  const first = (
    wordsOf(rest).find((word) => !/^(?:just|also|then|probably|definitely|maybe|you|to|that|go|ahead|and)$/.test(word)) ?? ''
  ).toLowerCase()
  const weight = clinicalWeight(rest) + (mentionsMedication(rest) ? 1 : 0)
  const isAct = orderVerb.test(first) || isBaseVerb(first) || recommended !== undefined
  if (!isAct || (weight === 0 && !/\b(?:weeks?|months?|days?|call|appointment|questions?|portal|record)\b/i.test(rest)))
    return null
  if (
    !isLate &&
    !(weight >= 1 && /^(?:refer|order|prescribe|start|increase|decrease|schedule|continue|refill|repeat)$/.test(first))
  )
    return null
  const text = planLine(visit, sentence, rest, { isForPatient: forPatient !== undefined, isAdvice: recommended !== undefined })
  if (text === null) return null
  return factOf({
    kind: 'plan',
    topic: 'plan',
    text,
    spans: [wholeSpan(sentence)],
    person: visit.clinician,
    support: text.includes('"') ? 'stated' : 'paraphrase',
    must: mentionsMedication(rest) && isLate,
    safety: mentionsMedication(rest),
    score:
      1 +
      0.5 * Math.min(weight, 3) +
      (numbersIn(rest).size > 0 ? 0.4 : 0) +
      (isLate ? 0.6 : 0) +
      lengthScore(wordsOf(rest).length),
  })
}

/** "If it's not better, we'll get an MRI", "we could do an endoscopy": whole, with the condition or the choice in it. */
function spokenPlan(visit: Visit, sentence: Sentence, body: string): Fact | null {
  const weight = clinicalWeight(body)
  const isCondition = /^(?:if|once|when|unless|in case|as long as)\b.+\b(?:we|i|you|call|come|go|let)\b/i.test(body)
  const isChoice =
    /^(?:(?:and|or|then|also|maybe|so) )?(?:i|we|you)(?:'d| can| could| may| might| would| should| may have to| have to)\b/i.test(
      body,
    )
  const isUnderWay = /^(?:i'm|i am|we're|we are) (?:going to|gonna) be \w+ing\b/i.test(body)
  const isCall = isCondition && /\b(?:call|ring|come (?:back|in)|go to|let (?:me|us) know)\b/i.test(body)
  if ((!isCondition && !isChoice && !isUnderWay) || (weight === 0 && !isCall)) return null
  const turned = asClinician(body, visit.patient, visit.writer)
  const text = turned === null || mentionsMedication(body) ? spoken(sentence) : asWritten(written(turned, visit.view.names))
  if (text === null) return null
  return factOf({
    kind: 'plan',
    topic: 'plan',
    text,
    spans: [wholeSpan(sentence)],
    person: visit.clinician,
    support: text.includes('"') ? 'stated' : 'paraphrase',
    safety: mentionsMedication(body),
    score: 1.2 + 0.3 * Math.min(weight, 3) + lengthScore(wordsOf(body).length),
  })
}

/** An order as the note says it. What changes a medicine stands word for word. */
function planLine(
  visit: Visit,
  sentence: Sentence,
  rest: string,
  how: { isForPatient: boolean; isAdvice: boolean },
): string | null {
  if (mentionsMedication(rest) && medicationChange.test(rest)) {
    const span = from(sentence, rest)
    if (span && lengthOf(span) <= 32) return `Medication, as said: ${quoted(span)}`
  }
  const isForPatient = how.isForPatient || /^have you \w/i.test(rest)
  const said = rest.replace(/^(?:go ahead and |just |also |then )+/i, '').replace(/^have you (?=\w)/i, '')
  const turned = asClinician(said, visit.patient, visit.writer, isForPatient)
  if (turned === null || pronounClashes(said, visit.patient)) return spoken(sentence)
  const line = asWritten(written(turned, visit.view.names))
  if (how.isAdvice) return `Recommended: ${line}`
  return isForPatient ? `${visit.patient.name} to ${line}` : line
}

/** The raw run that begins where `rest` begins. */
function from(sentence: Sentence, rest: string): Span | null {
  const lead = wordsOf(rest).slice(0, 2)
  const pattern = new RegExp(lead.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s,.…-]+'), 'i')
  const at = sentence.raw.search(pattern)
  return at < 0 ? null : spanOf({ ...sentence, from: sentence.from + at })
}

function spoken(sentence: Sentence): string | null {
  const span = spanOf(sentence)
  return lengthOf(span) <= 24 && lengthOf(span) >= 4 && isCleanQuote(textOf(span)) ? `Clinician said ${quoted(span)}` : null
}

const judges =
  /\b(?:i (?:think|believe|suspect|feel)|(?:looks?|sounds?|seems?|appears?) (?:like|to)|consistent with|likely|probably|most likely|diagnos\w+|suggest(?:s|ive)|due to|caused by|because of|concern(?:ed|ing)? (?:for|about|that)|impression|assessment|(?:well|poorly|under) control\w*|stable|improv\w+|worsening|uncontrolled|you have (?:an? )?(?:\w+ ){0,2})/i
const reports =
  /\b(?:you (?:said|mentioned|told|were|noticed|reported|endorsed|have been|had been|'ve been|had|came|fell|hurt|injured|started|denied|take|took|are (?:here|having|taking))|here (?:for|with|to)|year[- ]old|presents?|history)\b/i

function observed(visit: Visit, sentence: Sentence, body: string): Fact | null {
  const weight = clinicalWeight(body) + (mentionsMedication(body) ? 1 : 0)
  const isIntroduction =
    /\byear[- ]old\b/i.test(body) || (/\bhistory (?:of|significant)\b/i.test(body) && sentence.index < visit.examFrom)
  if (weight === 0 && !isIntroduction && !background.test(body)) return null
  if (isListOfRisks(visit, sentence, body)) return null
  const kind = kindOf(visit, sentence, body, isIntroduction)
  if (kind === null) return null
  const seen = kind === 'observation' ? withoutSeeing(body) : body
  const reworded = asClinician(seen, visit.patient, visit.writer)
  const line = reworded === null ? spoken(sentence) : asWritten(written(reworded, visit.view.names))
  if (line === null || wordsOf(line).length < 3) return null
  const isExact = riskTopic(body) !== null
  if (isExact && !line.includes('"')) return null
  const bonus = kind === 'observation' ? 0.6 : kind === 'reflection' ? 0.5 : 0
  return factOf({
    kind,
    topic: kind === 'observation' ? 'examination' : kind === 'reflection' ? 'assessment' : 'history',
    text: line,
    spans: [wholeSpan(sentence)],
    person: visit.clinician,
    support: line.includes('"') ? 'stated' : 'paraphrase',
    must: isIntroduction,
    safety: mentionsMedication(body),
    score:
      0.4 +
      0.5 * Math.min(weight, 3) +
      (numbersIn(body).size > 0 ? 0.3 : 0) +
      (isIntroduction ? 3 : 0) +
      bonus +
      lengthScore(wordsOf(body).length) -
      (orphan.test(body) ? 0.5 : 0) -
      (sentence.isHypothetical ? 0.6 : 0),
  })
}

const orphan = /^(?:it|it's|that|that's|this|these|those|they|which)\b/i

function kindOf(visit: Visit, sentence: Sentence, body: string, isIntroduction: boolean): Fact['kind'] | null {
  if (isIntroduction) return 'client'
  const isExamined = sentence.index >= visit.examFrom
  const isFinding = examination.test(body) || vitals.test(body) || tests.test(body)
  if (!isExamined) {
    if (isFinding && (tests.test(body) || vitals.test(body)) && !reports.test(body)) return 'observation'
    return reports.test(body) || conditions.test(body) ? 'client' : null
  }
  const isLate = sentence.index >= visit.planFrom
  if (judges.test(body) && (conditions.test(body) || mentionsMedication(body) || isLate)) return 'reflection'
  if (isFinding && !isLate) return 'observation'
  if (!isLate && (bodyParts.test(body) || bodySymptoms.test(body))) return 'observation'
  if (conditions.test(body) || bodySymptoms.test(body) || isFinding || treatment.test(body))
    return isLate ? 'reflection' : 'observation'
  return null
}

/** "On your heart exam, I do appreciate a murmur": what was seen, without the seeing. A denial of seeing keeps its words. */
function withoutSeeing(body: string): string {
  const match =
    /^(.*?)[\s,]*\b(?:i|we) (?:do |did |can |could |also |still )*(?:appreciate|see|saw|hear|heard|notice|noticed|note|noted|feel|felt|find|found|recogni[sz]e|identify|palpate|detect|get|have)\b (?!that\b|like\b|to\b|you\b|been\b)(.+)$/i.exec(
      body,
    )
  if (!match) return body
  const [, lead = '', rest = ''] = match
  return lead === '' ? rest : `${lead}, ${rest}`
}
