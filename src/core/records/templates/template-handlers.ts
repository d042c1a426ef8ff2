import type { Handlers } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import {
  ownTemplateDraftSchema,
  type OwnTemplate,
  type ContentKind,
  freeSectionKey,
  type TemplateSection,
} from '#contract/model/template.ts'
import { newId } from '#base/ids.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import { existing } from '#core/records/change.ts'

type Parts = Pick<RecordParts, 'templates' | 'change' | 'clock'>

type Names = 'templates.list' | 'templates.save' | 'templates.remove' | 'templates.fromExample'

export function templateHandlers({ templates, change, clock }: Parts): Handlers<Names> {
  return {
    'templates.list': () => templates.list(),
    'templates.save': ({ id, version, ...fields }) =>
      change(['templates'], ({ at, audit }) => {
        const before = id === null ? null : templates.find(id)
        if (id !== null && before === null && version !== null) throw new AppError('not-found')
        if ((before?.version ?? null) !== version) throw new AppError('stale-version')
        const body = ownTemplateDraftSchema.omit({ id: true }).parse(fields)
        const template: OwnTemplate = {
          ...body,
          id: id ?? newId(clock),
          created_at: before?.created_at ?? at,
          updated_at: at,
          version: (before?.version ?? 0) + 1,
        }
        templates.put(template)
        audit({ action: before === null ? 'template.created' : 'template.changed', subject_id: template.id })
        return template
      }),
    'templates.remove': ({ id }) =>
      change(['templates'], ({ at, audit }) => {
        existing(templates.find(id))
        templates.remove(id, at)
        audit({ action: 'template.removed', subject_id: id })
        return {}
      }),
    'templates.fromExample': ({ text }) => sectionsOfExample(text),
  }
}

const meanings: readonly (readonly [RegExp, readonly ContentKind[]])[] = [
  [/\brisk|safety|suicid/i, ['risk']],
  [/\bmedic(?:ation|ine)s?\b|\bmeds\b/i, ['medication']],
  [/\bsubstance|alcohol|drug/i, ['substances']],
  [/\b(?:homework|plan|next (?:steps?|session|visit)|follow[- ]up|recommendations?|aftercare)\b/i, ['plan']],
  [/\b(?:interventions?|methods?|techniques?|treatment provided|what (?:i|we) did)\b/i, ['interventions']],
  [/\b(?:response|reaction|progress|outcome)\b/i, ['response', 'reflections']],
  [/\b(?:assessment|formulation|impression|evaluation|analysis)\b/i, ['reflections']],
  [/\b(?:goals?|objectives?)\b/i, ['goals']],
  [/\b(?:scores?|screening|measures?|phq|gad|objective)\b/i, ['scores']],
  [/\b(?:family|social|relationships?|work|school|education|living)\b/i, ['social']],
  [/\b(?:history|background|trauma)\b/i, ['history']],
  [/\b(?:strengths?|resources|protective)\b/i, ['strengths']],
  [/\b(?:mental status|mse|appearance|affect|diagnos[ie]s|signature|billing|cpt|duration|date|time)\b/i, []],
  [/./, ['said']],
]

const MAX_HEADING = 60
const MAX_SECTIONS = 20

function sectionsOfExample(text: string): { name: string; sections: TemplateSection[] } {
  const titles = text
    .split(/\r?\n/)
    .map(headingOf)
    .filter((title) => title !== null)
  const unique = [...new Map(titles.map((title) => [title.toLowerCase(), title])).values()].slice(0, MAX_SECTIONS)
  const [first] = unique
  const heading = first !== undefined && /\bnotes?$/i.test(first) ? first : null
  if (heading !== null) unique.shift()
  if (unique.length < 2) {
    throw new AppError('import-unreadable', 'No headings were found. Put each on a line of its own, with a colon after it.')
  }
  const keys = new Set<string>()
  const sections = unique.map((title): TemplateSection => {
    const holds = [...(meanings.find(([words]) => words.test(title))?.[1] ?? [])]
    return { key: freeSectionKey(title, keys), title, holds, when_empty: emptyOf(holds, title) }
  })
  const letters = unique.map((title) => title.charAt(0).toUpperCase()).join('')
  return { name: heading ?? letters.slice(0, 12), sections: withSomewhereToSay(sections) }
}

function headingOf(line: string): string | null {
  const bare = line
    .trim()
    .replaceAll('**', '')
    .replace(/^#{1,4}\s+/, '')
  const isMarked = /^\s*(?:#{1,4}\s|\*\*)/.test(line)
  // Ordinary sentences have colons too, so text before a colon must look like a heading, unless the line is marked as one.
  const led = /^([^:.!?]{2,60}):(?:\s|$)/.exec(bare)?.[1]
  const before = led !== undefined && (isMarked || isHeading(led)) ? led : undefined
  const isShouted = /^[\p{Lu}\s/&()-]{3,60}$/u.test(bare)
  const title = before ?? (isMarked || isShouted ? bare : null)
  if (title === null || title.length > MAX_HEADING || title.split(/\s+/).length > 7) return null
  const tidy = title.trim()
  return isShouted ? `${tidy.charAt(0)}${tidy.slice(1).toLowerCase()}` : tidy
}

function isHeading(title: string): boolean {
  const isKnown = meanings.slice(0, -1).some(([words]) => words.test(title)) || usual.test(title)
  return isKnown && title.split(/\s+/).length <= 4 && !spoken.test(title)
}

const usual =
  /\b(?:subjective|data|behaviou?rs?|presenting|concerns?|complaints?|problems?|content|summary|observations?|mood|topics?|themes?|reports?|session|collateral)\b/i
const spoken = /\b(?:said|says|told|asked|answered|she|he|they|i|we|you|her|his|their|my)\b/i

function emptyOf(holds: readonly ContentKind[], title: string): TemplateSection['when_empty'] {
  if (holds.length === 0) return /diagnos|signature|billing|cpt/i.test(title) ? 'left_to_clinician' : 'not_assessed'
  return holds.includes('risk') || holds.includes('medication') ? 'not_assessed' : 'not_stated'
}

function withSomewhereToSay(sections: readonly TemplateSection[]): TemplateSection[] {
  if (sections.some(({ holds }) => holds.includes('said'))) return [...sections]
  const first = sections.findIndex(({ holds }) => holds.length > 0 && !holds.includes('plan') && !holds.includes('interventions'))
  return sections.map((section, index) => (index === first ? { ...section, holds: [...section.holds, 'said'] } : section))
}
