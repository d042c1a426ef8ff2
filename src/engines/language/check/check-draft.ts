import type { NoteBody, NoteCheck } from '#contract/model/note.ts'
import { checkStatement } from './check-statement.ts'
import { checkedEvidence } from './evidence.ts'
import { omissionsOf } from './omissions.ts'
import { roomOf } from './room.ts'
import type { CheckSource } from './types.ts'
import { cutText } from '#base/cut-text.ts'

/**
 * Every draft, whoever wrote it, against the session it is of. Pure, synchronous, the same for the same input. What the
 * session contradicts or nobody said leaves the note for `unsupported`, with the reason; what is doubtful stays, marked.
 */
export function checkDraft(body: NoteBody, source: CheckSource): NoteBody {
  const room = roomOf(
    source,
    body.sections.flatMap(({ statements }) => statements.map(({ text }) => text)),
  )
  const unsupported = [...body.unsupported]
  const sections = body.sections.map((section) => ({
    ...section,
    statements: section.statements.flatMap((statement) => {
      const verdict = checkStatement(room, statement, section.key)
      if (verdict.kind !== 'drop') return [verdict.statement]
      unsupported.push({ text: verdict.text, reason: cutText(verdict.reason, 200) })
      return []
    }),
  }))
  const listed = body.omissions.flatMap((omission) => {
    const evidence = checkedEvidence(room, omission.evidence)
    return evidence.length === 0 ? [] : [{ ...omission, evidence }]
  })
  const omissions = omissionsOf(room, { ...body, sections, omissions: listed })
  const checked = { ...body, sections, omissions, unsupported: unsupported.slice(0, 500) }
  return { ...checked, checks: checksOf(checked, unsupported.length - body.unsupported.length) }
}

/** What the therapist is told of the check: the writer's own counts put right, and what was taken out or marked. */
export function checksOf(body: NoteBody, dropped: number): NoteCheck[] {
  const statements = body.sections.flatMap((section) => section.statements)
  const safety = statements.filter((statement) => statement.safety).length
  const marked = statements.filter((statement) => statement.doubt != null).length
  const open = body.omissions.filter(({ decision }) => decision === 'open').length
  const own: NoteCheck[] = [
    counted(
      dropped,
      'left-out-by-check',
      'needs_you',
      'sentence was taken out of the draft: the session does not bear it out. It is listed below.',
      'sentences were taken out of the draft: the session does not bear them out. They are listed below.',
    ),
    counted(
      marked,
      'doubtful',
      'needs_you',
      'sentence may not be what was said. Look at it before signing.',
      'sentences may not be what was said. Look at each before signing.',
    ),
    counted(
      safety,
      'safety-statements',
      'info',
      'statement on risk or medication: look at it before signing.',
      'statements on risk or medication: look at each before signing.',
    ),
    counted(
      open,
      'omissions',
      'info',
      'thing was said that the draft leaves out. Add what belongs in the note.',
      'things were said that the draft leaves out. Add what belongs in the note.',
    ),
  ].filter((check) => check !== null)
  const codes = new Set(own.map(({ code }) => code))
  return [
    ...own.filter(({ severity }) => severity === 'needs_you'),
    ...body.checks.filter(({ code }) => !codes.has(code)),
    ...own.filter(({ severity }) => severity === 'info'),
  ].slice(0, 100)
}

function counted(count: number, code: string, severity: NoteCheck['severity'], one: string, many: string): NoteCheck | null {
  return count === 0 ? null : { code, severity, message: count === 1 ? `One ${one}` : `${count} ${many}` }
}
