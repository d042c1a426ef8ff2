import { AppError, type ErrorCode } from '#contract/errors.ts'
import { readPlainTranscript } from '#domain/plain-transcript.ts'
import type { AnalysisBody } from '#contract/model/analysis.ts'
import type { NoteBody } from '#contract/model/note.ts'
import { MAX_TRANSCRIPT_CHARACTERS, type Transcript } from '#contract/model/transcript.ts'
import type { AnalysisRequest, PreviousSession } from '#engines/analysis/request.ts'
import { checkDataDraft } from '#engines/language/check/check-data-draft.ts'
import { checkDraft } from '#engines/language/check/check-draft.ts'
import type { DataDraftRequest, DraftRequest, LanguagePort, Question, TextModel, Told } from '#engines/language/port.ts'
import { segmentsFor, withoutOthers } from '#engines/language/writer/source.ts'

export type Said =
  | { readonly kind: 'text'; readonly text: string; readonly client_names: readonly string[] }
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

export type TextWork = DraftWork | AnalysisWork | DataWork

export interface Analysing {
  readonly analyse: (request: AnalysisRequest, signal: AbortSignal) => AnalysisBody | Promise<AnalysisBody>
}

export async function writeDraft(
  { kind: _kind, said, ...about }: DraftWork,
  writer: LanguagePort,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<NoteBody> {
  const request: DraftRequest = { ...about, ...spokenIn(said) }
  requireReadable(request)
  if (!request.segments.some(({ text }) => text.trim() !== '')) throw new AppError('nothing-said')
  const drafted = await writer.draft(request, signal, onShare)
  return withoutOthers(checkDraft(drafted, { ...request, segments: segmentsFor(request) }), request)
}

export async function writeAnalysis(
  { kind: _kind, said, previous, ...about }: AnalysisWork,
  { analyse }: Analysing,
  signal: AbortSignal,
): Promise<AnalysisBody> {
  const spoken = spokenIn(said)
  requireReadable(spoken)
  return analyse({ ...about, ...spoken, previous: previous && previousIn(previous) }, signal)
}

export const writeDataDraft = async ({ kind: _kind, ...fields }: DataWork, writer: LanguagePort): Promise<NoteBody> =>
  checkDataDraft(await writer.draftFromData(fields), fields)

function previousIn({ said, ...about }: NonNullable<AnalysisWork['previous']>): PreviousSession | null {
  const spoken = spokenIn(said)
  return isReadable(spoken) ? { ...about, ...spoken } : null
}

function spokenIn(said: Said): Pick<DraftRequest, Spoken> {
  if (said.kind === 'text') return readPlainTranscript(said.text, said.client_names)
  const { speakers, segments } = JSON.parse(said.body) as Pick<Transcript, Spoken>
  return { speakers, segments }
}

export function sizeOf(work: TextWork): number {
  if (work.kind === 'draft-from-data')
    return [...work.presenting_concerns, ...work.interventions, work.client_response].reduce((sum, { length }) => sum + length, 0)
  const before = work.kind === 'analyze' && work.previous !== null ? lengthOf(work.previous.said) : 0
  return lengthOf(work.said) + before
}

const lengthOf = (said: Said): number => (said.kind === 'text' ? said.text : said.body).length

export type ToEngine =
  | { readonly kind: 'work'; readonly work: TextWork; readonly model: Pick<TextModel, 'engine' | 'context_tokens'> | null }
  | { readonly kind: 'piece'; readonly piece: string }
  | { readonly kind: 'told'; readonly told: Told }

export type FromEngine =
  | { readonly kind: 'share'; readonly share: number }
  | { readonly kind: 'ask'; readonly question: Question }
  | { readonly kind: 'done'; readonly result: TextResult }
  | { readonly kind: 'failed'; readonly code: ErrorCode | null; readonly detail: string | undefined; readonly error: string }

export type TextResult = NoteBody | AnalysisBody

type Words = string | { readonly segments: readonly { readonly text: string }[] }

function isReadable(said: Words): boolean {
  const length = typeof said === 'string' ? said.length : said.segments.reduce((sum, { text }) => sum + text.length, 0)
  return length <= MAX_TRANSCRIPT_CHARACTERS
}

/** In characters of JSON. `requireReadableBody` does not check a longer body, because parsing takes time. */
const QUICKLY_PARSED = 2_000_000

export function requireReadableBody(body: string): void {
  if (body.length > MAX_TRANSCRIPT_CHARACTERS && body.length <= QUICKLY_PARSED)
    requireReadable(JSON.parse(body) as Exclude<Words, string>)
}

export function requireReadable(said: Words): void {
  if (!isReadable(said))
    throw new AppError(
      'too-large',
      'A transcript of more than 600,000 characters (about twelve hours of speech) is not read at once.',
    )
}
