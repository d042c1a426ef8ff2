import type { SpokenStretch, VoiceTurn } from '../port.ts'
import { dot, mostAlike, soundsOf, type Stretch } from './cluster-voices.ts'

/** A stretch with less than this share of the usual similarity to its voice may be another person or two people at once. */
const FAR_SHARE = 0.5
const NARROW = 0.04
const BREATH_MS = 500
const TOUCHING_MS = 60

interface Placed extends VoiceTurn {
  readonly sureness: number
}

export function placeVoices(stretches: readonly Stretch[], voices: readonly Float32Array[]): VoiceTurn[] {
  const usual = usualLikeness(stretches, voices)
  const sounds = soundsOf(stretches, voices)
  const placed = stretches.map((stretch) => place(stretch, { voices, usual, sounds }))
  return joinTurns(clip(followNeighbours(placed.toSorted((left, right) => left.start_ms - right.start_ms))))
}

interface Known {
  readonly voices: readonly Float32Array[]
  readonly usual: readonly number[]
  readonly sounds: readonly (readonly Float32Array[])[]
}

function place({ start_ms, end_ms, print }: Stretch, { voices, usual, sounds }: Known): Placed {
  const nobodys = { start_ms, end_ms, voice: null, part: 0, sureness: 0 }
  if (print === null || voices.length === 0) return nobodys
  const voice = mostAlike(voices, print)
  const like = dot(voices[voice]!, print)
  const next = Math.max(-1, ...voices.flatMap((other, index) => (index === voice ? [] : [dot(other, print)])))
  if (like < usual[voice]! * FAR_SHARE || (voices.length > 1 && like - next < NARROW)) return nobodys
  return { start_ms, end_ms, voice, part: mostAlike(sounds[voice]!, print), sureness: like - next }
}

function usualLikeness(stretches: readonly Stretch[], voices: readonly Float32Array[]): number[] {
  const likeness = voices.map((): number[] => [])
  for (const { print } of stretches) {
    if (print === null || voices.length === 0) continue
    const voice = mostAlike(voices, print)
    likeness[voice]!.push(dot(voices[voice]!, print))
  }
  return likeness.map((values) => values.toSorted((left, right) => left - right)[values.length >> 1] ?? 1)
}

const followNeighbours = (placed: readonly Placed[]): Placed[] =>
  placed.map((stretch, index) => {
    if (stretch.voice !== null || stretch.end_ms - stretch.start_ms >= 1000) return stretch
    const before = placed[index - 1]
    const after = placed[index + 1]
    const near = [
      before !== undefined && stretch.start_ms - before.end_ms <= TOUCHING_MS ? before.voice : null,
      after !== undefined && after.start_ms - stretch.end_ms <= TOUCHING_MS ? after.voice : null,
    ].filter((voice) => voice !== null)
    const [voice] = near
    return voice !== undefined && near.every((other) => other === voice) ? { ...stretch, voice } : stretch
  })

function clip(sorted: readonly Placed[]): Placed[] {
  const turns: Placed[] = []
  for (const stretch of sorted) {
    const last = turns.at(-1)
    if (last === undefined || stretch.start_ms >= last.end_ms) {
      turns.push(stretch)
      continue
    }
    if (stretch.sureness > last.sureness) {
      turns[turns.length - 1] = { ...last, end_ms: stretch.start_ms }
      turns.push(stretch)
      if (last.end_ms > stretch.end_ms) turns.push({ ...last, start_ms: stretch.end_ms })
    } else if (stretch.end_ms > last.end_ms) turns.push({ ...stretch, start_ms: last.end_ms })
  }
  return turns.filter(({ start_ms, end_ms }) => end_ms > start_ms)
}

function joinTurns(placed: readonly Placed[]): VoiceTurn[] {
  const turns: { start_ms: number; end_ms: number; voice: number | null; parts: number[] }[] = []
  for (const { start_ms, end_ms, voice, part } of placed) {
    const last = turns.at(-1)
    const isSame = last !== undefined && last.voice === voice && start_ms - last.end_ms <= BREATH_MS
    const turn = isSame ? last : { start_ms, end_ms, voice, parts: [0, 0] }
    if (!isSame) turns.push(turn)
    turn.end_ms = end_ms
    turn.parts[part]! += end_ms - start_ms
  }
  return turns.map(({ parts, ...turn }) => ({ ...turn, part: parts[1]! > parts[0]! ? 1 : 0 }))
}

export function onlySpoken(stretches: readonly Stretch[], spoken: readonly SpokenStretch[]): Stretch[] {
  let first = 0
  return stretches
    .toSorted((left, right) => left.start_ms - right.start_ms)
    .filter(({ start_ms, end_ms }) => {
      while (first < spoken.length && spoken[first]!.end_ms <= start_ms) first++
      let inside = 0
      for (let index = first; index < spoken.length && spoken[index]!.start_ms < end_ms; index++)
        inside += Math.min(end_ms, spoken[index]!.end_ms) - Math.max(start_ms, spoken[index]!.start_ms)
      return inside * 2 >= end_ms - start_ms
    })
}
