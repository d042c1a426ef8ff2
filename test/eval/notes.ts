import type { NoteBody } from '#contract/model/note.ts'
import type { Template } from '#contract/model/template.ts'
import { AppError } from '#contract/errors.ts'
import type { LanguagePort } from '#engines/language/port.ts'
import type { Row } from './csv.ts'
import { meanRouge, rouge, tokensOf } from './rouge.ts'
import type { Rouge } from './rouge.ts'
import { readDialogue } from './spoken.ts'
import type { Spoken } from './spoken.ts'

export interface NoteScore extends Rouge {
  readonly id: string
  /** Words against the reference's. */
  readonly words: number
  readonly referenceWords: number
  readonly quotes: number
  readonly validQuotes: number
  /** Statements that say something and name no place where it was said, with those the writer gave up itself. */
  readonly unsupported: number
  readonly omissions: number
  readonly ms: number
}

export interface NotesScore extends Rouge {
  readonly notes: readonly NoteScore[]
  /** Mean length of the written notes over the mean length of the references. */
  readonly length: number
  /** Share of quoted evidence that stands word for word in the segment it names; null where nothing was quoted. */
  readonly evidence: number | null
  readonly unsupported: number
  readonly omissions: number
  readonly ms: number
  readonly skipped: readonly string[]
}

export async function scoreNotes(rows: readonly Row[], writer: LanguagePort, template: Template): Promise<NotesScore> {
  const notes: NoteScore[] = []
  const skipped: string[] = []
  for (const [at, row] of rows.entries()) {
    const id = row['encounter_id'] ?? row['ID'] ?? row['id'] ?? `row ${at + 1}`
    const spoken = readDialogue(row['dialogue'] ?? '')
    if (spoken.segments.length === 0) skipped.push(`${id}: no line names who speaks`)
    else if ((row['note'] ?? '').trim() === '') skipped.push(`${id}: no reference note`)
    else {
      const score = await scoreOne(id, spoken, row['note'] ?? '', writer, template)
      if (typeof score === 'string') skipped.push(`${id}: ${score}`)
      else notes.push(score)
    }
  }
  return { ...summaryOf(notes), notes, skipped }
}

async function scoreOne(
  id: string,
  spoken: Spoken,
  reference: string,
  writer: LanguagePort,
  template: Template,
): Promise<NoteScore | string> {
  const start = performance.now()
  const request = { template, session: null, client: null, ...spoken }
  const note = await writer.draft(request, new AbortController().signal).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'nothing-said') return null
    throw error
  })
  const ms = performance.now() - start
  if (note === null) return 'nobody but the clinician speaks'
  const text = textOf(note)
  return {
    id,
    ...rouge(text, reference),
    words: tokensOf(text).length,
    referenceWords: tokensOf(reference).length,
    ...evidenceIn(note, spoken),
    unsupported: note.unsupported.length + bareStatements(note),
    omissions: note.omissions.length,
    ms,
  }
}

/** The note as it would be read: each section's title, then a statement a line. */
function textOf(note: NoteBody): string {
  return note.sections.flatMap((section) => [section.title, ...section.statements.map((statement) => statement.text)]).join('\n')
}

function evidenceIn(note: NoteBody, spoken: Spoken): { quotes: number; validQuotes: number } {
  const texts = new Map(spoken.segments.map((segment) => [segment.id, segment.text]))
  const cited = [
    ...note.sections.flatMap((section) => section.statements.flatMap((statement) => statement.evidence)),
    ...note.omissions.flatMap((omission) => omission.evidence),
  ]
  const valid = cited.filter((each) => each.quote !== null && texts.get(each.segment_id)?.includes(each.quote) === true)
  return { quotes: cited.length, validQuotes: valid.length }
}

/** Nothing was said about it: the one kind of line that needs no evidence. */
const saysNothing = /\bnot (?:assessed|stated|asked)\b|left to the clinician/i

function bareStatements(note: NoteBody): number {
  return note.sections
    .flatMap((section) => section.statements)
    .filter(
      (statement) =>
        statement.evidence.length === 0 && statement.support !== 'clinician_entered' && !saysNothing.test(statement.text),
    ).length
}

function summaryOf(notes: readonly NoteScore[]): Omit<NotesScore, 'notes' | 'skipped'> {
  const sum = (of: (note: NoteScore) => number): number => notes.reduce((total, note) => total + of(note), 0)
  const quotes = sum((note) => note.quotes)
  const references = sum((note) => note.referenceWords)
  return {
    ...meanRouge(notes),
    length: references === 0 ? 0 : sum((note) => note.words) / references,
    evidence: quotes === 0 ? null : sum((note) => note.validQuotes) / quotes,
    unsupported: sum((note) => note.unsupported),
    omissions: sum((note) => note.omissions),
    ms: notes.length === 0 ? 0 : sum((note) => note.ms) / notes.length,
  }
}
