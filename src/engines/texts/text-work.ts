import { AppError } from '#contract/errors.ts'
import { type KnownSpeaker, speakerRole } from '#domain/speaker-roles.ts'
import type { AnalysisBody } from '#contract/model/analysis.ts'
import type { NoteBody } from '#contract/model/note.ts'
import type { Transcript, Segment, Speaker } from '#contract/model/transcript.ts'
import type { AnalysisRequest, PreviousSession } from '#engines/analysis/request.ts'
import { checkDataDraft } from '#engines/language/check/check-data-draft.ts'
import { checkDraft } from '#engines/language/check/check-draft.ts'
import type { DataDraftRequest, DraftRequest, LanguagePort } from '#engines/language/port.ts'
import { segmentsFor, withoutOthers } from '#engines/language/writer/member.ts'
import { isReadable, requireReadable } from './most-said.ts'

/** What was said, as it was sent or as it is stored: reading it is part of the work. */
export type Said =
  | { readonly kind: 'text'; readonly text: string; readonly client_names: readonly string[] }
  /** `body`: the JSON of a transcript. */
  | { readonly kind: 'transcript'; readonly body: string }

type Spoken = 'speakers' | 'segments'

export interface DraftWork extends Omit<DraftRequest, Spoken> {
  readonly kind: 'draft'
  readonly said: Said
}

export interface AnalysisWork extends Omit<AnalysisRequest, Spoken | 'previous'> {
  readonly kind: 'analyze'
  readonly said: Said
  readonly previous: (Omit<PreviousSession, Spoken> & { readonly said: Said }) | null
}

export interface DataWork extends DataDraftRequest {
  readonly kind: 'draft-from-data'
}

/** Work whose time and memory grow with what was said. */
export type TextWork = DraftWork | AnalysisWork | DataWork

export interface Analysing {
  readonly analyse: (request: AnalysisRequest, signal: AbortSignal) => AnalysisBody | Promise<AnalysisBody>
}

/** @throws AppError `too-large`, `nothing-said`, and what the writer throws */
export async function writeDraft(
  { kind: _kind, said, ...about }: DraftWork,
  writer: LanguagePort,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<NoteBody> {
  const request: DraftRequest = { ...about, ...spokenIn(said) }
  // Stored words may have been replaced since the work was asked for.
  requireReadable(request)
  if (!request.segments.some(({ text }) => text.trim() !== '')) throw new AppError('nothing-said')
  const drafted = await writer.draft(request, signal, onShare)
  return withoutOthers(checkDraft(drafted, { ...request, segments: segmentsFor(request) }), request)
}

/** @throws AppError `too-large`, `nothing-said` */
export async function writeAnalysis(
  { kind: _kind, said, previous, ...about }: AnalysisWork,
  { analyse }: Analysing,
  signal: AbortSignal,
): Promise<AnalysisBody> {
  const spoken = spokenIn(said)
  // Stored words may have been replaced since the work was asked for.
  requireReadable(spoken)
  return analyse({ ...about, ...spoken, previous: previous && previousIn(previous) }, signal)
}

export async function writeDataDraft({ kind: _kind, ...fields }: DataWork, writer: LanguagePort): Promise<NoteBody> {
  return checkDataDraft(await writer.draftFromData(fields), fields)
}

/** Too much to be read, it is not compared. */
function previousIn({ said, ...about }: NonNullable<AnalysisWork['previous']>): PreviousSession | null {
  const spoken = spokenIn(said)
  return isReadable(spoken) ? { ...about, ...spoken } : null
}

function spokenIn(said: Said): Pick<DraftRequest, Spoken> {
  if (said.kind === 'text') return readTranscriptText(said.text, said.client_names)
  const { speakers, segments } = JSON.parse(said.body) as Pick<Transcript, Spoken>
  return { speakers, segments }
}

/** Characters, about: what its time grows with. */
export function sizeOf(work: TextWork): number {
  if (work.kind === 'draft-from-data')
    return [...work.presenting_concerns, ...work.interventions, work.client_response].reduce((sum, { length }) => sum + length, 0)
  const before = work.kind === 'analyze' && work.previous !== null ? lengthOf(work.previous.said) : 0
  return lengthOf(work.said) + before
}

const lengthOf = (said: Said): number => (said.kind === 'text' ? said.text : said.body).length

/** A label is short, starts with a letter and has no sentence before its colon; "at 5:30" and "http://" are not labels. */
const turnPattern = /^\s*(?:\[[\d:.,\s>-]{1,30}\]\s*)?(\p{L}[\p{L}\p{M}\d .'’()-]{0,39}?)\s*:(?!\/\/)(?:\s+|$)(.*)$/u
/** Characters a segment may have by the contract. */
const MAX_SEGMENT = 20_000

/**
 * Plain text as segments: a line is one or more sentences, each a segment `s1`, `s2`, ...; `Name:` starts a turn that
 * lasts until the next. The same text always gives the same segments. Times are unknown.
 */
export function readTranscriptText(
  text: string,
  clientNames: readonly string[] = [],
): { speakers: Speaker[]; segments: Segment[] } {
  const clients = clientNames.map((name) => ({ name, role: 'client' }) as const)
  const speakers = new Map<string, Speaker>()
  const segments: Segment[] = []
  let speaker: string | null = null
  for (const line of text.split(/\r\n|\r|\n/)) {
    const turn = turnPattern.exec(line)
    const label = turn?.[1]?.trim()
    if (label !== undefined && isLabel(label, speakers)) {
      speaker = speakerOf(label, speakers, clients)
      add(turn?.[2] ?? '')
    } else add(line)
  }
  return { speakers: [...speakers.values()], segments }

  function add(said: string): void {
    for (const text of sentencesOf(said)) {
      const id = `s${segments.length + 1}`
      segments.push({ id, speaker_id: speaker, start_ms: null, end_ms: null, text, confidence: null, edited: false })
    }
  }
}

/** "Honestly: I am tired" is no turn of somebody called Honestly, as far as can be told: labels are at most four words. */
function isLabel(label: string, speakers: ReadonlyMap<string, Speaker>): boolean {
  return label.split(/\s+/).length <= 4 && (speakers.size < 40 || speakers.has(keyOf(label)))
}

function speakerOf(label: string, speakers: Map<string, Speaker>, clients: readonly KnownSpeaker[]): string {
  const key = keyOf(label)
  const known = speakers.get(key)
  if (known) return known.id
  const id = `p${speakers.size + 1}`
  speakers.set(key, { id, label, role: speakerRole(label, clients) })
  return id
}

const keyOf = (label: string): string => label.trim().replaceAll(/\s+/g, ' ').toLowerCase()

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

function sentencesOf(line: string): string[] {
  // Most of what is not words is blank lines, and a segmenter costs far more than a look.
  if (line.trim() === '') return []
  return [...sentences.segment(line)].flatMap(({ segment }) => inPieces(segment.trim())).filter(Boolean)
}

/** A sentence longer than a segment may be becomes several, cut at a space where one is near. */
function inPieces(sentence: string): string[] {
  const pieces: string[] = []
  let rest = sentence
  while (rest.length > MAX_SEGMENT) {
    const space = rest.lastIndexOf(' ', MAX_SEGMENT)
    const end = space > MAX_SEGMENT / 2 ? space : MAX_SEGMENT
    pieces.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trim()
  }
  return [...pieces, rest]
}
