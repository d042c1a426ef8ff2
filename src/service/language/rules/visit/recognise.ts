import type { SpeakerRole } from '#contract/model/transcript.ts'
import { drugName } from '../lexicon/medication.ts'
import type { Room } from '../types.ts'

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
 * True where the clinician examines, reports results and treats: there, and only there, the clinician's statements are
 * findings. A therapist's "you have normal sleep" is a reflection.
 */
export function isMedicalVisit(room: Room, role: SpeakerRole = 'therapist'): boolean {
  const said = room.sentences.filter((sentence) => sentence.person.role === role)
  const hits = cues.map((cue) => said.filter((sentence) => cue.test(sentence.clean)).length)
  const [exam = 0, , imaging = 0, labs = 0] = hits
  const kinds = hits.filter((count) => count > 0).length
  const all = hits.reduce((sum, count) => sum + count, 0)
  return exam + imaging + labs >= 2 && kinds >= 2 && all >= 4
}
