import type { SpeakerRole } from '#contract/model/transcript.ts'
import { drugName } from '../lexicon/medication.ts'
import type { Room } from '../types.ts'
import { bodyParts, bodySymptoms, conditions, tests } from './lexicon.ts'

/** What a clinician says only where a body is examined, tested or treated. */
const cues: readonly RegExp[] = [
  /\b(?:physical exam\w*|(?:on|your|my|the|quick) exam(?:ination)?\b|listen to your (?:heart|lungs|chest|belly)|palpat\w+|tender(?:ness)?\b|range of motion|murmurs?|crackles|wheez(?:es|ing)|ed(?:a)?ema|reflexes|bilateral(?:ly)?|lungs are|lymph nodes)\b/i,
  /\b(?:vital signs|vitals|blood pressure|heart rate|oxygen|temperature|pulse)\b/i,
  /\b(?:x-?rays?|mri|ct scan|cat scan|ultrasound|echo(?:cardiogram)?|ekg|ecg|mammogram|colonoscopy|endoscopy|biopsy)\b/i,
  /\b(?:labs?\b|lab (?:work|results?)|blood (?:work|test|count)s?|a1c|cholesterol|h(?:a)?emoglobin|urinalysis|white (?:blood )?(?:cell )?count|creatinine|kidney function)\b/i,
  new RegExp(
    `(?:\\b(?:prescri\\w+|start(?:ing)? you on|increase|decrease|continue|refill|put you on|give you)\\b.*(?:\\b(?:mg|milligrams?|medication|antibiotics?|steroids?|inhaler|cream)\\b|${drugName.source}))`,
    'i',
  ),
  /\b(?:physical therapy|physiotherapy|surger(?:y|ies)|surgeon|cardiolog\w+|orthop\w+|dermatolog\w+|injections?|brace|splint|fractures?|sprain\w*|infections?)\b/i,
]

/**
 * True where the clinician examines, reports results and treats, or asks after the body alone: there, and only there, the
 * clinician's statements are findings. A therapist's "you have normal sleep" is a reflection.
 */
export function isMedicalVisit(room: Room, role: SpeakerRole = 'therapist'): boolean {
  const said = room.sentences.filter((sentence) => sentence.person.role === role)
  const hits = cues.map((cue) => said.filter((sentence) => cue.test(sentence.clean)).length)
  const [exam = 0, , imaging = 0, labs = 0] = hits
  const kinds = hits.filter((count) => count > 0).length
  const all = hits.reduce((sum, count) => sum + count, 0)
  return (exam + imaging + labs >= 2 && kinds >= 2 && all >= 4) || (role === 'therapist' && isBodily(room))
}

/** Said in therapy too, of a feeling or in passing: these tell nothing of what kind of conversation it is. */
const saidAnywhere =
  /^(?:sleep\w*|energy|appetite|tired\w*|exhaust\w*|fatigue\w*|insomnia|depression|anxiety|adhd|bipolar|pain\w*|hurts?\w*|aches?|aching|blood\w*|burning|hearing|vision|weak\w*|frequency|urgency|disorder|disease|syndrome|diagnos\w*|deficiency|flu|headaches?|sweat\w*|breathing|shak\w*|tremors?|fell|falls?|trauma|symptoms?|injur\w*|results?|head|face|eyes?|ears?|nose|mouth|throat|tongue|tooth|teeth|neck|chest|heart|back|stomach|skin|nerves?|shoulders?|arms?|hands?|fingers?|legs?|feet|foot|toes?)$/i
const bodily = new RegExp([bodySymptoms, conditions, bodyParts, tests].map(({ source }) => source).join('|'), 'gi')

/** A history of the body and hardly anything else, taken before anybody examines it. */
function isBodily(room: Room): boolean {
  const words = room.turns.reduce((sum, turn) => sum + turn.words.length, 0)
  const terms = room.sentences.flatMap((sentence) => sentence.clean.match(bodily) ?? []).map((term) => term.toLowerCase())
  const telling = terms.filter((term) => !saidAnywhere.test(term))
  return new Set(telling).size >= 6 && telling.length >= words * 0.03 && terms.length >= words * 0.05
}
