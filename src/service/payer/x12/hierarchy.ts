import type { Segment, Transaction } from './interchange.ts'
import { at, malformed } from './interchange.ts'

/** HL03 of this guide. */
export const levelCodes = { payer: '20', provider: '21', subscriber: '22', dependent: '23' } as const

/** An HL loop: what stands between it and the next one. */
export interface Level {
  readonly id: string
  readonly parent: string | null
  readonly code: string
  readonly segments: readonly Segment[]
}

/** What belongs to one EB or EQ line: itself first, then everything up to the next. */
export type Group = readonly [Segment, ...Segment[]]

/** @throws AppError `engine-failed` where a level names a parent that is not there */
export function levelsOf({ segments }: Transaction): Level[] {
  const levels: { id: string; parent: string | null; code: string; segments: Segment[] }[] = []
  for (const segment of segments) {
    if (segment.tag !== 'HL') {
      levels.at(-1)?.segments.push(segment)
      continue
    }
    const [id, parent, code] = [at(segment, 1), at(segment, 2), at(segment, 3)]
    if (id === null || code === null) throw malformed('a level has no number')
    if (levels.some((level) => level.id === id)) throw malformed('two levels have one number')
    if (parent !== null && !levels.some((level) => level.id === parent)) throw malformed('a level hangs in the air')
    levels.push({ id, parent, code, segments: [] })
  }
  return levels
}

/** What stands before the first line of that name, and the groups that follow. */
export function groupsOf({ segments }: Level, tag: 'EB' | 'EQ'): { own: readonly Segment[]; groups: Group[] } {
  const first = segments.findIndex((segment) => segment.tag === tag)
  if (first === -1) return { own: segments, groups: [] }
  const groups: [Segment, ...Segment[]][] = []
  for (const segment of segments.slice(first)) {
    if (segment.tag === tag) groups.push([segment])
    else groups.at(-1)?.push(segment)
  }
  return { own: segments.slice(0, first), groups }
}
