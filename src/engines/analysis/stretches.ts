import type { AnalysisBody } from '#contract/model/analysis.ts'
import type { Room, Sentence, Turn } from '#engines/language/rules/types.ts'

/** Turns of something else before it counts as left and come back to: an answer, a nod and a question. */
const mostBetween = 3

type Stretch = AnalysisBody['topics'][number]['stretches'][number]

/** Where a matter was spoken of: its turns, neighbours joined. */
export function stretchesOf(room: Room, mentions: readonly Sentence[]): Stretch[] {
  const turns = [...new Set(mentions.map(({ turn }) => turn))].toSorted((left, right) => left - right)
  const runs: { from: number; to: number }[] = []
  for (const turn of turns) {
    const last = runs.at(-1)
    if (last && turn - last.to <= mostBetween + 1) last.to = turn
    else runs.push({ from: turn, to: turn })
  }
  return runs.flatMap(({ from, to }) => {
    const first = room.turns[from]?.sentences[0]?.segment
    const last = room.turns[to]?.sentences.at(-1)?.segment
    if (!first || !last) return []
    return [{ from_segment_id: first.id, to_segment_id: last.id, start_ms: first.start_ms, end_ms: endOf(room.turns[to]) }]
  })
}

function endOf(turn: Turn | undefined): number | null {
  return turn?.sentences.at(-1)?.segment.end_ms ?? null
}
