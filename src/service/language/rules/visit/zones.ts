import type { Room, Sentence } from '../types.ts'

const examines =
  /\b(?:(?:quick |physical )+exam\w*|on (?:your|the|my|physical) (?:[\w-]+ ){0,3}exam\w*|vital signs|your vitals|listen to (?:your|you)|take a (?:quick )?(?:look at|listen)|let me (?:examine|check|feel|press)|show me the|looking at (?:your|the) (?:x-?ray|results?|labs?|mri|ct|echo\w*)|results of your|lungs are|i (?:do )?appreciate)\b/i
const plans =
  /\b(?:my assessment|assessment and (?:the |my )?plan|(?:the|my|our) plan (?:is|for|would)|for (?:your|the|her|his) (?:first|1st|last|second|next|[\w-]+)(?: [\w-]+){0,2} problem|(?:i|we)(?:'d| would)? (?:also )?(?:recommend|suggest)|my recommendation|at this point|what (?:i|we)(?:'d| would)? (?:like|want)|i think (?:you|this|that|it|what)|in summary|treatment options|go ahead and (?:order|prescribe|start|get|send|refer)|(?:i'm|we're|i am|we are) (?:going to|gonna) (?:order|prescribe|start|refer|increase|continue|send|put|get|give))\b/i

/** Where a visit turns from the story to the examination, and from there to the plan, by the clinician's wording. */
export function zonesOf(room: Room): { examFrom: number; planFrom: number } {
  const said = room.sentences.filter((sentence) => sentence.person.role === 'therapist')
  const last = room.sentences.at(-1)?.index ?? 0
  const at = (share: number): number => Math.floor(last * share)
  const exam = said.find((sentence) => sentence.index >= at(0.15) && examines.test(sentence.clean))
  const examFrom = exam?.index ?? at(0.55)
  const plan = said.find((sentence) => sentence.index > Math.max(examFrom + 2, at(0.4)) && plans.test(sentence.clean))
  return { examFrom, planFrom: plan?.index ?? Math.max(examFrom + 1, at(0.72)) }
}

const grown: readonly (readonly [RegExp, string])[] = [
  [/\byear[- ]old\b(?:\W+\w+){0,4}?\W+(?:female|woman|lady|girl)\b|\b(?:miss|mrs|ms)\.? \p{L}/iu, 'she/her'],
  [/\byear[- ]old\b(?:\W+\w+){0,4}?\W+(?:male|man|gentleman|boy|guy)\b|\b(?:mr|mister)\.? \p{L}/iu, 'he/him'],
]

/** How the clinician speaks of the patient aloud ("a 58 year old male ... he"); null where nobody says. Never from a name. */
export function spokenPronouns(sentences: readonly Sentence[]): string | null {
  const introduction = sentences.filter((sentence) => sentence.person.role === 'therapist').slice(0, 40)
  for (const sentence of introduction) for (const [pattern, pronouns] of grown) if (pattern.test(sentence.clean)) return pronouns
  return null
}
