import { wordRuns } from '#base/word-runs.ts'
import type { Segment } from '#contract/model/transcript.ts'

/** A turn cut where its words change speaker; null where its words are not those of its text. */
export function cutAtWords(segment: Segment, speakers: readonly (string | null)[]): Segment[] | null {
  const runs = wordRuns(segment, () => speakers)
  return (
    runs?.map(({ whose, from, ...run }) => ({
      ...segment,
      ...run,
      id: from === 0 ? segment.id : `${segment.id}-${from + 1}`.slice(-64),
      speaker_id: whose,
    })) ?? null
  )
}
