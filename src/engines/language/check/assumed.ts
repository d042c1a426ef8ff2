import type { Claim } from './claims.ts'
import type { Scope } from './scope.ts'
import type { Fault } from './types.ts'
import { runOf } from './words.ts'

/** What notes like to say when nobody said anything. Each stands only where its own words were spoken. */
const assumed: readonly RegExp[] = [
  /\b(?:mood|affect) (?:is |was |appeared |appears |remained )?(?:and affect (?:were |are )?)?(?:euthymic|congruent|appropriate|full|stable|normal|broad|reactive|within normal limits|bright|flat|blunted|restricted|labile|constricted|dysphoric)\b/i,
  /\b(?:euthymic|mood[- ]congruent|affect (?:congruent|appropriate|full|normal|bright))\b/i,
  /\b(?:alert and )?oriented\b(?: (?:x ?\d|to))?/i,
  /\b(?:good|fair|intact|limited|adequate|poor|normal) (?:insight|judge?ment|eye contact|hygiene|grooming|concentration|memory|impulse control|rapport)\b/i,
  /\b(?:insight|judge?ment|memory|concentration|cognition|attention|hygiene|grooming|appetite|speech|thought process(?:es)?|thought content|behaviou?r|appearance|impulse control|orientation)\b[^.;]{0,40}\b(?:intact|good|fair|adequate|normal|unremarkable|within normal limits|wnl|appropriate|linear|logical|goal[- ]directed|coherent|age[- ]appropriate)\b/i,
  /\bno (?:(?:current|acute|apparent|immediate|evident|other|known|significant|identified|reported|new) )*(?:safety|safeguarding|risk|suicidal|homicidal|medical) ?(?:concerns?|issues?|ideation|intent|risks?)?\b/i,
  /\bno (?:(?:acute|apparent|obvious) )?(?:distress|psychotic|psychosis|delusions|hallucinations|paranoia|si\b|hi\b|si\/hi|ideation|contraindications|side effects|complaints|evidence of)/i,
  /\b(?:low|minimal|no|moderate|high|elevated) (?:\w+ )?risk\b|\brisk (?:is|was|level|assessed|remains)(?: as| to be)? (?:low|minimal|moderate|high)\b/i,
  /\b(?:tolerated|responded|engaged|participated|progressing|coping|doing|managing)(?: \w+){0,4} well\b|\bmaking (?:good|steady|excellent) progress\b|\bgood progress\b/i,
  /\b(?:was|is|appeared|appears|seemed|presented as|presents as|remained) (?:very |fully |well |actively )?(?:engaged|cooperative|pleasant|receptive|motivated|open|attentive|well[- ]groomed|appropriately dressed|calm and cooperative|in no acute distress|forthcoming|compliant|guarded|tearful|agitated|restless)\b/i,
  /\b(?:well[- ]groomed|appropriately dressed|casually dressed|eye contact|psychomotor|good rapport|therapeutic (?:alliance|rapport)|contract(?:ed|s) for safety|within normal limits|wnl|unremarkable|medically stable|medication compliant|compliant with (?:medication|treatment)|receptive to|baseline)\b/i,
  /\bmotivated (?:for|to)\b.*\b(?:treatment|therapy|change)\b|\bprognosis\b|\bmeets? (?:\w+ )*criteria\b/i,
]

const light = new Set(
  'the a an is was were are to of for and in with no good well very as be been at x1 x2 x3 x4 client patient he she they'.split(
    ' ',
  ),
)

/** Findings nobody spoke about are not filled in. */
export function assumedFaults(claim: Claim, scope: Scope): Fault[] {
  if (/\bnot (?:assessed|stated|asked)\b/i.test(claim.own)) return []
  const said = new Set([...scope.units, ...scope.beside].flatMap((unit) => runOf(unit.text)))
  for (const pattern of assumed) {
    const match = pattern.exec(claim.own)
    if (match === null) continue
    const words = runOf(match[0]).filter((word) => !light.has(word))
    const missing = words.filter((word) => !said.has(word) && !said.has(word.replace(/(?:ed|s|ing)$/, '')))
    const isOfSaid = /^(?:poor|limited|reduced)\b/i.test(match[0]) && words.some((word) => said.has(word))
    if (isOfSaid) continue
    if (missing.length > 0 && (words.length === 1 || missing.length / words.length >= 0.5))
      return [{ level: 'drop', reason: `nobody spoke of “${match[0].trim().slice(0, 80)}”` }]
  }
  return []
}
