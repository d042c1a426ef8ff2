import { readFileSync } from 'node:fs'

/** A stretch of one person, as a person wrote it down (RTTM). */
export interface Spoken {
  readonly start_ms: number
  readonly end_ms: number
  readonly who: string
}

export interface Guessed {
  readonly start_ms: number
  readonly end_ms: number
  readonly voice: number | null
}

export function readRttm(file: string): Spoken[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))
    .map((fields) => ({
      start_ms: Number(fields[3]) * 1000,
      end_ms: (Number(fields[3]) + Number(fields[4])) * 1000,
      who: fields[7]!,
    }))
}

const frameMs = 10

/**
 * Diarization error rate: missed, invented and confused speech over all speech, under the best naming of the voices. What
 * lies within the collar of a reference turn's edge is not counted.
 */
export function diarizationErrors(spoken: readonly Spoken[], turns: readonly Guessed[], collarMs = 250): number {
  const frames = Math.ceil(Math.max(0, ...spoken.map(({ end_ms }) => end_ms), ...turns.map(({ end_ms }) => end_ms)) / frameMs)
  const truth = Array.from<string | null>({ length: frames }).fill(null)
  const guess = Array.from<number | null>({ length: frames }).fill(null)
  const counted = new Uint8Array(frames).fill(1)
  for (const { start_ms, end_ms, who } of spoken) {
    truth.fill(who, Math.round(start_ms / frameMs), Math.round(end_ms / frameMs))
    for (const edge of [start_ms, end_ms]) counted.fill(0, Math.max(0, (edge - collarMs) / frameMs), (edge + collarMs) / frameMs)
  }
  for (const { start_ms, end_ms, voice } of turns) guess.fill(voice, Math.round(start_ms / frameMs), Math.round(end_ms / frameMs))
  let total = 0
  let heardAsSpeech = 0
  let invented = 0
  const pairs: { who: string; voice: number }[] = []
  for (let frame = 0; frame < frames; frame++) {
    if (counted[frame] === 0) continue
    const [who, voice] = [truth[frame] ?? null, guess[frame] ?? null]
    if (who === null) invented += voice === null ? 0 : 1
    else {
      total++
      if (voice !== null) {
        heardAsSpeech++
        pairs.push({ who, voice })
      }
    }
  }
  return (total - heardAsSpeech + invented + heardAsSpeech - rightUnderBestNaming(pairs)) / Math.max(1, total)
}

/** Words with their time and who said them, against the voices they were given. */
export function wordsUnderTheRightSpeaker(words: readonly { who: string; voice: number | null }[]): number {
  const pairs = words.flatMap(({ who, voice }) => (voice === null ? [] : [{ who, voice }]))
  return rightUnderBestNaming(pairs) / Math.max(1, words.length)
}

function rightUnderBestNaming(pairs: readonly { who: string; voice: number }[]): number {
  const people = [...new Set(pairs.map(({ who }) => who))]
  const voices = [...new Set(pairs.map(({ voice }) => voice))]
  const counts = people.map((who) =>
    voices.map((voice) => pairs.filter((pair) => pair.who === who && pair.voice === voice).length),
  )
  const best = (person: number, used: ReadonlySet<number>): number =>
    person === people.length
      ? 0
      : Math.max(
          best(person + 1, used),
          ...voices.map((_, voice) =>
            used.has(voice) ? 0 : counts[person]![voice]! + best(person + 1, new Set([...used, voice])),
          ),
        )
  return best(0, new Set())
}
