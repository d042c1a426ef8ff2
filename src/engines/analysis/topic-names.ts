import { drugName, medicationWords, substanceKinds } from '#engines/language/rules/lexicon/medication.ts'
import { symptomKinds } from '#engines/language/rules/lexicon/symptoms.ts'

export interface TopicKind {
  readonly name: string
  readonly pattern: RegExp
}

const symptomNames: Readonly<Record<string, string>> = {
  sleep: 'Sleep',
  appetite: 'Eating and weight',
  energy: 'Energy',
  concentration: 'Concentration',
  mood: 'Mood',
  anxiety: 'Worry and anxiety',
  anger: 'Anger',
  trauma: 'Memories and triggers',
  compulsions: 'Checking and rituals',
  body: 'The body and pain',
}
const substanceNames: Readonly<Record<string, string>> = {
  alcohol: 'Drinking',
  cannabis: 'Cannabis',
  tobacco: 'Smoking',
  'other drugs': 'Drugs',
  gambling: 'Gambling',
}

const life: readonly TopicKind[] = [
  {
    // Stricter than the pattern for notes: "I thought, ..." is an ordinary way to tell a story.
    name: 'Thoughts and beliefs',
    pattern:
      /\b(?:(?:my|the|that|these|those|negative|intrusive|bad) thoughts?\b(?! (?:i|he|she|we|they|you|it|that)\b)|beliefs?|overthink\w*|ruminat\w*|failure|not good enough|my fault|blam(?:e|ed|ing) (?:myself|yourself)|worthless|i'm (?:so |just )?(?:stupid|useless))\b/i,
  },
  {
    name: 'Work',
    pattern:
      /\b(?:my job|the job|jobs?\b|at work|work(?:place|load)?\b(?! (?:on|out|it|for|through|with|well)\b)|boss|manager|supervisor|colleagues?|co-?workers?|office|shifts?|promotion|deadlines?|redundan\w*|unemploy\w*|retire\w*|meetings?|interviews?|sick leave)\b/i,
  },
  {
    name: 'School and study',
    pattern: /\b(?:school|college|university|exams?|grades|teachers?|homework from|classes|lectures?|thesis|studying|course)\b/i,
  },
  { name: 'Money', pattern: /\b(?:money|rent|bills|debts?|mortgage|afford|savings|salary|wages?|benefits|bank)\b/i },
  {
    name: 'Partner',
    pattern:
      /\b(?:my (?:husband|wife|partner|boyfriend|girlfriend|ex|fianc[eé]e?)|(?:our|my) (?:marriage|relationship)|wedding|divorc\w*|separat(?:ed|ion|ing)|broke up|split up|affair|intimacy)\b/i,
  },
  {
    name: 'Parents and family',
    pattern:
      /\b(?:my (?:mum|mom|mother|dad|father|parents|sister|brother|siblings?|aunt|uncle|cousin|nan|gran\w*|family|stepmother|stepfather|in-laws|mother-in-law|father-in-law))\b/i,
  },
  {
    name: 'Children',
    pattern:
      /\b(?:(?:my|the|our) (?:kids?|children|baby|son|daughter|boys|girls|little one|toddler)|pregnan\w*|parenting|childcare|nursery)\b/i,
  },
  { name: 'Friends', pattern: /\b(?:friends?|friendships?|mates\b|flatmates?|roommates?|neighbou?rs?)\b/i },
  {
    name: 'Loss',
    pattern: /\b(?:died|passed away|funeral|grie(?:f|ve|ving)|ashes|widow\w*|anniversary of|since (?:he|she) died)\b/i,
  },
  { name: 'Home', pattern: /\b(?:moving (?:house|out|in)|the flat|the house|apartment|landlord|evict\w*|homeless\w*)\b/i },
  {
    name: 'Exercise and being outdoors',
    pattern:
      /\b(?:exercis\w*|gym|swim\w*|swam|jog\w*|runs?\b|running\b|cycling|yoga|football|went for a walk|walks\b|the garden)\b/i,
  },
  {
    name: 'Health',
    pattern: /\b(?:diagnos\w*|hospital|surgery|operation|blood (?:test|pressure)|scan\b|gp\b|illness|chronic)\b/i,
  },
  { name: 'Faith', pattern: /\b(?:church|mosque|synagogue|temple|pray\w*|faith|god(?! knows)|priest|imam|rabbi)\b/i },
]

/** Words that the symptom patterns match by mistake: "a flat" (a home) and "paint". */
export const misread = /\b(?:(?:a|the|my|our|his|her|their) flat|paint\w*)\b/gi

/** The order decides between topics about which the same number of words was said. */
export const topicKinds: readonly TopicKind[] = [
  ...symptomKinds
    .filter(({ topic }) => symptomNames[topic] !== undefined)
    .map(({ topic, pattern }) => ({ name: symptomNames[topic] ?? topic, pattern })),
  ...substanceKinds.map(({ topic, pattern }) => ({ name: substanceNames[topic] ?? topic, pattern })),
  { name: 'Medication', pattern: new RegExp(`${drugName.source}|${medicationWords.source}`, 'i') },
  ...life,
]
