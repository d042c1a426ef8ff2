import type { Note } from '#contract/model/note.ts'
import type { OwnTemplate } from '#contract/model/template.ts'
import { canonicalJson } from '#domain/canonical-note.ts'
import type { AnyIntent, IntentKind, LastSent } from '#core/outbox/intents.ts'
import { isSame } from '#core/outbox/three-way.ts'
import { sha256 } from '#core/records/content-hash.ts'
import type { Common } from './common.ts'
import type { Document } from './conflict-repository.ts'
import { isTaken } from './list-conflicts.ts'
import type { PendingIntents } from './pending.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import type { FieldParts } from './merge-fields.ts'
import type { ResolvingParts } from './merge.ts'

type Stored = Pick<Note, 'id' | 'version' | 'created_at'>
export type OfSession<Kept> = Kept & Stored & { readonly session_id: string }

export interface Whole<Kept> {
  readonly kind: 'transcript' | 'note'
  readonly intents: readonly IntentKind[]
  readonly put: IntentKind
  find(id: string): OfSession<Kept> | null
  ofSession(sessionId: string): OfSession<Kept> | null
  replace(document: OfSession<Kept>, serviceVersion: number | null): void
  keepServiceVersion(id: string, version: number): void
  serviceVersion(id: string): number | null
  hash(document: Kept): string
  isSame(mine: OfSession<Kept>, theirs: OfSession<Kept>): boolean
  joined(mine: OfSession<Kept>, theirs: OfSession<Kept>): OfSession<Kept>
  isFinal(document: Kept): boolean
  signing(mine: OfSession<Kept>, theirs: OfSession<Kept>): readonly Pick<AnyIntent, 'kind' | 'body'>[]
  /**
   * True if the local note is signed, but `theirs` lacks the signature although it was pushed, or has other text under the same
   * signature.
   */
  isNotAsSigned(mine: OfSession<Kept>, theirs: OfSession<Kept>): boolean
  clientOf(document: OfSession<Kept>): string | null
}

type Verdict = 'take' | 'keep' | 'same' | 'ask'

/** @param isRefusal merge `theirs` even if its version is known, e.g. after a rejected push */
export function takeWhole<Kept>(parts: FieldParts, of: Whole<Kept>, theirs: OfSession<Kept>, isRefusal: boolean): void {
  const { common } = parts
  const known = common.of(of.kind, theirs.id)
  if (known === 'gone') return
  const seen = of.find(theirs.id) === null ? (known?.version ?? 0) : (of.serviceVersion(theirs.id) ?? 0)
  if (theirs.version < seen || (known?.version === seen && theirs.version === seen && !isRefusal)) return
  const hash = of.hash(theirs)
  const mine = of.ofSession(theirs.session_id)
  const own = (known?.record['own'] === true && known.record['hash'] === hash) || sentFrom(parts, of, theirs.id).includes(hash)
  common.keep(of.kind, theirs.id, {
    version: theirs.version,
    record: { hash, own, created_at: theirs.created_at, session_id: theirs.session_id },
  })
  if (mine === null) return receive(parts, of, theirs)
  // While a conflict about this document is open, no version counts as unchanged, so that the conflict stays open.
  const isUnchanged = !isAsked(parts, of, mine.id, theirs.id) && (known?.record['hash'] === hash || seen >= theirs.version)
  const asked = { mine, theirs, isUnchanged }
  apply(parts, of, asked, mine.id === theirs.id ? ofOne(parts, of, asked) : ofTwo(parts, of, asked))
}

interface Sides<Kept> {
  readonly mine: OfSession<Kept>
  readonly theirs: OfSession<Kept>
  readonly isUnchanged: boolean
}

function ofOne<Kept>({ pending }: FieldParts, of: Whole<Kept>, { mine, theirs, isUnchanged }: Sides<Kept>): Verdict {
  // Record a conflict about altered signed text only once, because this laptop cannot fix it.
  if (of.isNotAsSigned(mine, theirs)) return of.isFinal(theirs) && isUnchanged ? 'keep' : 'ask'
  if (of.isSame(mine, theirs)) return 'same'
  // Don't let an unsigned version replace a signed note.
  if (!isUnpushed(pending, of, mine.id)) return of.signing(mine, theirs).length > 0 ? 'ask' : 'take'
  if (of.isFinal(theirs)) return 'ask'
  return isUnchanged || sentFrom({ pending }, of, mine.id).includes(of.hash(theirs)) ? 'keep' : 'ask'
}

function isUnpushed(pending: PendingIntents, { intents }: Pick<Whole<unknown>, 'intents'>, id: string): boolean {
  return intents.some((kind) => pending.isUnpushed(id, kind))
}

function sentFrom<Kept>({ pending }: Pick<FieldParts, 'pending'>, of: Whole<Kept>, id: string): string[] {
  return pending.of(id, ...of.intents).flatMap(({ body }) => (body as LastSent).sent_hashes ?? [])
}

function ofTwo<Kept>(parts: FieldParts, of: Whole<Kept>, { mine, theirs, isUnchanged }: Sides<Kept>): Verdict {
  const { pending, common } = parts
  if (isUnchanged) return 'keep'
  if (of.isSame(mine, theirs)) return ofEqual(parts, of, { mine, theirs })
  const agreed = common.of(of.kind, mine.id)
  const isKept = agreed === 'gone'
  const isOwn = isKept || isUnpushed(pending, of, mine.id) || agreed?.record['own'] === true
  const wasReplacedHere = common.of(of.kind, theirs.id) !== null && of.serviceVersion(mine.id) === null
  if (isOwn || wasReplacedHere || (of.isFinal(mine) && of.isFinal(theirs))) return 'ask'
  if (of.isFinal(mine) !== of.isFinal(theirs)) return of.isFinal(theirs) ? 'take' : 'keep'
  return isLater(common, of.kind, theirs, mine) ? 'take' : 'keep'
}

/** For two documents with equal content. Every laptop must choose the same one, or later edits show up on only one laptop. */
function ofEqual<Kept>(
  { pending, common }: FieldParts,
  of: Whole<Kept>,
  { mine, theirs }: Omit<Sides<Kept>, 'isUnchanged'>,
): Verdict {
  if (of.isFinal(mine) || isUnpushed(pending, of, mine.id) || of.serviceVersion(mine.id) === null) return 'keep'
  return of.isFinal(theirs) || isLater(common, of.kind, theirs, mine) ? 'take' : 'keep'
}

/** Compares creation times (the service's, where known), then ids. */
export function isLater(common: Common, kind: Whole<unknown>['kind'], one: Stored, other: Stored): boolean {
  const [at, before] = [one, other].map(({ id, created_at }) => {
    const agreed = common.of(kind, id)
    return agreed === null || agreed === 'gone' ? created_at : ((agreed.record['created_at'] as string | undefined) ?? created_at)
  }) as [string, string]
  return at === before ? one.id > other.id : at > before
}

function apply<Kept>(parts: FieldParts, of: Whole<Kept>, { mine, theirs }: Sides<Kept>, verdict: Verdict): void {
  const { conflicts, pending, audit } = parts
  const isOne = mine.id === theirs.id
  if (verdict !== 'ask' && isAsked(parts, of, mine.id, theirs.id)) endConflict(parts, of, mine.id)
  if (verdict === 'take') replace(parts, of, mine, theirs)
  if (verdict === 'keep' && isOne) of.keepServiceVersion(mine.id, theirs.version)
  if (verdict === 'same') {
    const joined = of.joined(mine, theirs)
    pending.remove(pending.of(mine.id, of.put))
    if (isSame({ ...joined, version: mine.version }, mine)) of.keepServiceVersion(mine.id, theirs.version)
    else of.replace({ ...joined, version: mine.version + 1 }, theirs.version)
  }
  if (verdict !== 'ask' || conflicts.open(of.kind, mine.id)?.kind === 'erased') return
  const client_id = of.clientOf(theirs)
  const about = { record_kind: of.kind, record_id: mine.id, client_id, session_id: theirs.session_id }
  const body = { mine: mine as unknown as Document, theirs: theirs as unknown as Document }
  if (conflicts.open(of.kind, mine.id) === null) audit.append({ action: 'conflict.found', subject_id: mine.id, client_id })
  conflicts.found({ kind: 'document', ...about, body })
  if (!isOne) return
  of.keepServiceVersion(mine.id, theirs.version)
  const waiting = pending.of(mine.id, ...of.intents)
  if (!of.isFinal(theirs) || of.isNotAsSigned(mine, theirs)) return pending.hold(waiting)
  pending.remove(waiting)
  replace(parts, of, mine, theirs)
}

function isAsked<Kept>({ conflicts }: FieldParts, of: Whole<Kept>, mine: string, theirs: string): boolean {
  const open = conflicts.open(of.kind, mine)
  return open?.kind === 'document' && open.body.theirs.id === theirs
}

function receive<Kept>({ audit }: FieldParts, of: Whole<Kept>, theirs: OfSession<Kept>): void {
  of.replace({ ...theirs, version: 1 }, theirs.version)
  audit.append({ action: `${of.kind}.received`, subject_id: theirs.id, client_id: of.clientOf(theirs) })
}

function replace<Kept>({ audit }: FieldParts, of: Whole<Kept>, mine: OfSession<Kept>, theirs: OfSession<Kept>): void {
  of.replace({ ...theirs, version: mine.version + 1 }, theirs.version)
  audit.append({ action: `${of.kind}.merged`, subject_id: theirs.id, client_id: of.clientOf(theirs) })
}

function endConflict<Kept>({ conflicts, audit }: FieldParts, of: Whole<Kept>, id: string): void {
  const open = conflicts.open(of.kind, id)
  if (open?.kind !== 'document') return
  // A signed version from the service has replaced the local one. Keep the conflict: only it has the local text.
  if (isTaken(open.body)) return
  conflicts.resolve(open.id, { kind: 'agreed' })
  audit.append({ action: 'conflict.ended', subject_id: id, client_id: open.client_id })
}

type Parts = Omit<FieldParts, 'pending'> & Pick<ResolvingParts, 'freed'> & Pick<RecordParts, 'templates'>

/** A template is pushed with the next draft that uses it, so nothing is queued in the outbox. */
export function takeTemplate({ templates, common, conflicts, audit, freed }: Parts, theirs: OwnTemplate): void {
  const { id, version } = theirs
  const known = common.of('template', id)
  if (known === 'gone' || (known !== null && version <= known.version)) return
  const hash = hashTemplate(theirs)
  common.keep('template', id, { version, record: { hash } })
  const mine = templates.find(id)
  if (mine === null) {
    templates.put({ ...theirs, version: 1 })
    audit.append({ action: 'template.received', subject_id: id })
    return
  }
  const here = hashTemplate(mine)
  const agreed = known?.record['hash']
  const open = conflicts.open('template', id)
  if (here === hash || here === agreed || (hash === agreed && open === null)) {
    if (open !== null) conflicts.resolve(open.id, { kind: 'agreed' })
    if (open !== null) freed.formDecided(id)
    if (here !== hash && here === agreed) templates.put({ ...theirs, version: mine.version + 1 })
    if (here !== hash && here === agreed) audit.append({ action: 'template.merged', subject_id: id })
    return
  }
  const body = { mine, theirs }
  conflicts.found({ kind: 'document', record_kind: 'template', record_id: id, client_id: null, session_id: null, body })
  if (open === null) audit.append({ action: 'conflict.found', subject_id: id })
}

export const hashTemplate = ({ name, sections, style }: OwnTemplate): string => sha256(canonicalJson({ name, sections, style }))
