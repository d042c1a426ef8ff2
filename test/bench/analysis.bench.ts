import { analyse } from '#engines/analysis/analyse.ts'
import { requestOf } from '../engines/language/support/dialogue.ts'
import { longDialogue } from './long-dialogue.ts'

/** Insights into a 50-minute transcript, held against one as long before it: 600 ms at most. */
const goalMs = 600

const said = requestOf(longDialogue(), 'soap')
const { speakers, segments } = said
const previous = { session_id: 'before', starts_at: '2026-01-05T10:00:00Z', time_zone: 'UTC', speakers, segments, plan: [] }
const times: number[] = []
for (let run = 0; run < 6; run += 1) {
  const start = performance.now()
  analyse({ ...said, goals: [], focus: [], previous })
  times.push(performance.now() - start)
}
const sorted = times.slice(1).toSorted((left, right) => left - right)
const value = Math.round(sorted[Math.floor(sorted.length / 2)] ?? Number.POSITIVE_INFINITY)
console.log(
  `${value <= goalMs ? 'met' : 'missed'}  insights into a 50-minute transcript  ${value} ms (first call ${Math.round(times[0] ?? 0)} ms)  ${goalMs} ms`,
)
