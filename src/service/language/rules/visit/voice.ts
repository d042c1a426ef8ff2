import { rewordSecondPerson } from '../gate.ts'
import { toThirdPerson } from '../third-person.ts'
import type { Person } from '../types.ts'

const opener =
  /^(?:(?:okay|ok|alright|all right|sure|yeah|yep|yes|mm-?hmm|so|and|but|well|now|then|because|hmm+|um+|uh+|oh|also|again|anyway|you know|i mean|gotcha|wonderful|awesome|excellent|perfect|great|good|right|exactly|absolutely|hopefully|obviously|basically|unfortunately|fortunately)(?:\s*[,.…-]+\s*|\s+(?=\S)))+/i
/** An adjective that opens what is said, not a listener's noise: "good bony alignment", "right knee pain". */
const adjective =
  /^(?:good|great|right|excellent|perfect|wonderful)(?! (?:so|okay|alright|now|and|well|i|i'm|i'd|let's|you|we|we'll|your|there|the|that's))\s+\p{L}/iu

/** Ends a turn and says nothing; "the blood pressure is okay" and "on the right" do. */
const handsOver =
  /(?:,\s*right|(?<!\b(?:is|are|was|were|be|been|looks?|looking|sounds?|doing|feels?|feeling|going|pretty|not|it's|that's|you're|the|your|on))[\s,]+(?:okay|ok|alright|all right)|[\s,]+(?:yeah|you know|and|but|so|or|the|a|to|of|now|then|because|um|uh|that|however|though))*[\s.,?!…-]*$/i

/** What a clinician says, without the words that only take the turn or hand it over. */
export function bodyOf(clean: string): string {
  let body = clean.trim().replace(/^[\s.,…-]+/, '')
  for (let round = 0; round < 4; round += 1) {
    if (adjective.test(body)) break
    const next = body.replace(opener, '')
    if (next === body) break
    body = next
  }
  return withoutTail(body)
    .replace(/(?:,| )\s?(?:you know|i mean|like i said|as i said),?(?= )/gi, '')
    .replace(handsOver, '')
    .trim()
}

/** Where a run without stops turns to the next thing and breaks off: "... some crepitus alright so this pain". */
const turns =
  /\s(?:(?:okay|alright|all right) (?:so|now|and|but)|so now|now (?:the|what|when|with|for)|but (?:honestly|anyway|again)|so (?:that means|let me))\b(?:\s\S+){0,9}$|\s(?:(?:okay|alright|all right) )?(?:so what (?:does|do|is)|right (?:our|your|we|you|it))\b.*$/i

function withoutTail(body: string): string {
  const at = body.search(turns)
  return at > 0 && body.slice(0, at).split(/\s+/).length >= 5 ? body.slice(0, at) : body
}

/** Keeps "on the right" at the end from being taken for a listener's word. */
const end = 'qqend'

const own: readonly (readonly [RegExp, string])[] = [
  [/\bi'm\b/gi, 'qqi am'],
  [/\bi've\b/gi, 'qqi have'],
  [/\bi'll\b/gi, 'qqi will'],
  [/\bi'd\b/gi, 'qqi would'],
  [/\bi\b/gi, 'qqi'],
  [/\bme\b/gi, 'qqme'],
  [/\bmy\b/gi, 'qqmy'],
  [/\bwe're\b/gi, 'qqwe are'],
  [/\bwe've\b/gi, 'qqwe have'],
  [/\bwe'll\b/gi, 'qqwe will'],
  [/\bwe'd\b/gi, 'qqwe would'],
  [/\bwe\b/gi, 'qqwe'],
  [/\bus\b/gi, 'qqus'],
  [/\bour\b/gi, 'qqour'],
]

/** The clinician's "you" as the patient and "I" as the clinician; "we" stays, it is the practice. Null where unsure. */
export function asClinician(body: string, patient: Person, clinician: Person, named = false): string | null {
  const hidden = own.reduce((text, [pattern, token]) => text.replace(pattern, token), body)
  const turned = rewordSecondPerson(`${hidden} ${end}`, patient, named)
  if (turned === null) return null
  const shown = turned
    .replace(end, '')
    .trim()
    .replaceAll('qqwe', 'we')
    .replaceAll('qqus', 'us')
    .replaceAll('qqour', 'our')
    .replaceAll('qqme', clinician.name)
    .replaceAll('qqmy', `${clinician.name}'s`)
  if (!shown.includes('qqi')) return shown
  const parts = shown.replaceAll('qqi', 'I').split(/\b(?=we\b|us\b|our\b)/)
  const written = parts.map((part) => (/\bI\b/.test(part) ? toThirdPerson(part, clinician, 'first', false) : part))
  return written.includes(null) ? null : written.join('')
}
