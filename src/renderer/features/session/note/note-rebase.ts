import type { Note, Statement } from '#contract/model/note.ts'

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
const statementsOf = (note: Note): Map<string, Statement> =>
  new Map(note.sections.flatMap(({ statements }) => statements.map((statement) => [statement.id, statement])))

/**
 * Repeats on a newer version of the note what was changed here since `base`. Where both changed a sentence, both stay. Null if the
 * newer version is signed, or a section that was written in is not in it.
 */
export function rebased(newer: Note, base: Note, local: Note): Note | null {
  const [before, there, here] = [statementsOf(base), statementsOf(newer), statementsOf(local)]
  const isOnlyHere = (own: Statement): boolean => {
    const [old, other] = [before.get(own.id), there.get(own.id)]
    return !isSame(own, old) && (other === undefined || (!isSame(old, other) && own.text !== other.text))
  }
  const added = local.sections.map(({ key, statements }) => ({ key, statements: statements.filter(isOnlyHere) }))
  const isPlaced = ({ key, statements }: (typeof added)[number]): boolean =>
    statements.length === 0 || newer.sections.some((section) => section.key === key)
  if (newer.signature !== null || newer.template !== local.template || !added.every(isPlaced)) return null
  const merged = (statement: Statement): Statement[] => {
    const own = here.get(statement.id)
    if (!isSame(statement, before.get(statement.id))) return [statement]
    return own === undefined ? [] : [own]
  }
  const sections = newer.sections.map((section) => {
    const more = added.find(({ key }) => key === section.key)?.statements ?? []
    const own = more.map((statement) => (there.has(statement.id) ? { ...statement, id: crypto.randomUUID() } : statement))
    return { ...section, statements: [...section.statements.flatMap(merged), ...own] }
  })
  const decisionOf = (note: Note, id: string) => note.omissions.find((omission) => omission.id === id)?.decision
  const omissions = newer.omissions.map((omission) => {
    const own = decisionOf(local, omission.id)
    return own !== undefined && omission.decision === decisionOf(base, omission.id) ? { ...omission, decision: own } : omission
  })
  return { ...newer, sections, omissions }
}
