import type { BuiltInTemplate, ContentKind, NoteStyle, TemplateSection } from '#contract/model/template.ts'

const builtIn: Readonly<Record<BuiltInTemplate, { name: string; parts: string }>> = {
  soap: { name: 'SOAP', parts: 'subjective, objective, assessment, plan' },
  dap: { name: 'DAP', parts: 'data, assessment, plan' },
  birp: { name: 'BIRP', parts: 'behavior, intervention, response, plan' },
  girp: { name: 'GIRP', parts: 'goals, intervention, response, plan' },
  pirp: { name: 'PIRP', parts: 'problem, intervention, response, plan' },
  pie: { name: 'PIE', parts: 'problem, intervention, evaluation' },
  intake: { name: 'Intake', parts: 'a first visit' },
  treatment_plan: { name: 'Treatment plan', parts: 'problems, goals, methods, agreed steps' },
  discharge: { name: 'Discharge', parts: 'course, goals, condition, aftercare' },
  group: { name: 'Group', parts: 'what the group did, and one member’s own part' },
  couples: { name: 'Couples', parts: 'each partner’s part, and the two together' },
}

const kinds: Readonly<Record<ContentKind, string>> = {
  said: 'What the client said',
  risk: 'Risk',
  medication: 'Medication',
  substances: 'Alcohol and drugs',
  history: 'History',
  social: 'Family, work and daily life',
  strengths: 'Strengths',
  goals: 'Goals',
  scores: 'Scores said aloud',
  interventions: 'What you did',
  reflections: 'What you reflected',
  response: 'How the client took it',
  plan: 'Plan, homework, next visit',
}

const whenEmpty: Readonly<Record<TemplateSection['when_empty'], string>> = {
  not_stated: '“Not stated in session”',
  not_assessed: '“Not assessed”',
  left_to_clinician: '“Left to the clinician”',
}

const lengths: Readonly<Record<NoteStyle['length'], string>> = { short: 'Short', usual: 'Usual', full: 'Full' }
const names: Readonly<Record<NoteStyle['client_as'], string>> = {
  name: 'By first name',
  initials: 'By initials',
  client: '“the client”',
}

export const formWords = {
  builtIn,
  kinds,
  whenEmpty,
  lengths,
  names,
  gone: 'A form that was removed',
  group: 'Your own forms',
  none: 'You have no forms of your own. Make one, or take the headings of a note you wrote.',
  make: 'Make a form',
  fromExample: 'From an example note',
  edit: 'Edit',
  editNamed: (name: string): string => `Edit ${name}`,
  sections: (count: number): string => (count === 1 ? '1 section' : `${count} sections`),
  title: { make: 'Make a form', edit: 'Edit the form' },
  lead: 'Each section says what belongs under it. What no section asks for stays out of the draft and is listed beside it.',
  name: 'Name of the form',
  nameMissing: 'A form needs a name.',
  section: (number: number): string => `Section ${number}`,
  sectionTitle: 'Heading',
  titleMissing: 'A section needs a heading.',
  holds: 'What belongs here',
  holdsNothing: 'Nothing is ticked: you write this section yourself.',
  empty: 'When nothing was said',
  add: 'Add a section',
  up: (title: string): string => `Move ${title} up`,
  down: (title: string): string => `Move ${title} down`,
  drop: (title: string): string => `Remove ${title}`,
  untitled: 'this section',
  length: 'Length of drafts',
  clientAs: 'How drafts call a client',
  save: 'Save the form',
  saving: 'Saving…',
  cancel: 'Cancel',
  remove: 'Remove the form',
  removed: (name: string): string => `“${name}” was removed. Notes written in it stay as they are.`,
  saved: (name: string): string => `“${name}” is saved.`,
  example: {
    title: 'Take the form of a note',
    lead: 'Paste a note as you write them. Its headings become the sections. The text itself is not kept.',
    text: 'The note',
    read: 'Read the headings',
    reading: 'Reading…',
    empty: 'Paste a note first.',
  },
} as const
