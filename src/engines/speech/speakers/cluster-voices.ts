import { z } from 'zod'

const CLEAR_MS = 1000
const WEIGHT_MS = 8000
const SAME_VOICE = 0.7
const MAX_VOICES = 6
const MAX_COMPARED = 3000

interface Cluster {
  readonly weight: number
  readonly sum: Float64Array
}

export function tellApart(stretches: readonly Stretch[], people: number | null): Float32Array[] {
  const clear = thinned(stretches.filter((stretch) => stretch.print !== null && stretch.end_ms - stretch.start_ms >= CLEAR_MS))
  const some = clear.length > 0 ? clear : stretches.filter(({ print }) => print !== null)
  const clusters = joinAlike(some.map(clusterOf), people ?? MAX_VOICES)
  return refine(some, joinSame(clusters))
}

/** Two clusters of one voice with a lower similarity may be two people, or one person at two distances from the microphone. */
const ONE_SOUND = 0.85

export function soundsOf(stretches: readonly Stretch[], voices: readonly Float32Array[]): Float32Array[][] {
  const own = voices.map((): Stretch[] => [])
  for (const stretch of stretches)
    if (stretch.print !== null && stretch.end_ms - stretch.start_ms >= CLEAR_MS)
      own[mostAlike(voices, stretch.print)]!.push(stretch)
  return voices.map((voice, index) => {
    const halves = refine(own[index]!, joinAlike(thinned(own[index]!).map(clusterOf), 2))
    return halves.length === 2 && dot(halves[0]!, halves[1]!) < ONE_SOUND ? halves : [voice]
  })
}

function joinAlike(given: readonly Cluster[], count: number): Cluster[] {
  const clusters = [...given]
  const nearest = clusters.map((_, index) => nearestAfter(clusters, index))
  while (clusters.length > count) {
    let at = 0
    for (let index = 1; index < clusters.length; index++) if (nearest[index]!.cost < nearest[at]!.cost) at = index
    const other = nearest[at]!.index
    clusters[at] = joined(clusters[at]!, clusters[other]!)
    clusters.splice(other, 1)
    nearest.splice(other, 1)
    for (let index = 0; index < clusters.length; index++) {
      const known = nearest[index]!
      if (index === at || known.index === other || known.index === at) nearest[index] = nearestAfter(clusters, index)
      else {
        if (known.index > other) nearest[index] = { ...known, index: known.index - 1 }
        if (index < at) {
          const cost = costOf(clusters[index]!, clusters[at]!)
          if (cost < nearest[index]!.cost) nearest[index] = { index: at, cost }
        }
      }
    }
  }
  return clusters
}

function nearestAfter(clusters: readonly Cluster[], index: number): { index: number; cost: number } {
  let best = { index: -1, cost: Infinity }
  for (let other = index + 1; other < clusters.length; other++) {
    const cost = costOf(clusters[index]!, clusters[other]!)
    if (cost < best.cost) best = { index: other, cost }
  }
  return best
}

function costOf(left: Cluster, right: Cluster): number {
  let sum = 0
  for (let index = 0; index < left.sum.length; index++) {
    const apart = left.sum[index]! / left.weight - right.sum[index]! / right.weight
    sum += apart * apart
  }
  return (sum * left.weight * right.weight) / (left.weight + right.weight)
}

function joinSame(given: readonly Cluster[]): Cluster[] {
  const clusters = [...given]
  for (;;) {
    let best = { left: -1, right: -1, alike: SAME_VOICE }
    for (let left = 0; left < clusters.length; left++)
      for (let right = left + 1; right < clusters.length; right++) {
        const alike = cosine(clusters[left]!.sum, clusters[right]!.sum)
        if (alike >= best.alike) best = { left, right, alike }
      }
    if (best.left < 0) return clusters
    clusters[best.left] = joined(clusters[best.left]!, clusters[best.right]!)
    clusters.splice(best.right, 1)
  }
}

function refine(stretches: readonly Stretch[], clusters: readonly Cluster[]): Float32Array[] {
  let voices = clusters.flatMap(({ sum }) => unit(sum) ?? [])
  for (let round = 0; round < 10; round++) {
    const sums = voices.map((voice) => new Float64Array(voice.length))
    for (const stretch of stretches) addTimes(sums[mostAlike(voices, stretch.print!)]!, stretch.print!, weightOf(stretch))
    const next = sums.map((sum, index) => unit(sum) ?? voices[index]!)
    if (next.every((voice, index) => dot(voice, voices[index]!) > 0.999_999)) return next
    voices = next
  }
  return voices
}

export function mostAlike(voices: readonly Float32Array[], print: Float32Array): number {
  let best = 0
  for (let index = 1; index < voices.length; index++) if (dot(voices[index]!, print) > dot(voices[best]!, print)) best = index
  return best
}

const weightOf = ({ start_ms, end_ms }: Stretch): number => Math.min(WEIGHT_MS, end_ms - start_ms) / 1000

function clusterOf(stretch: Stretch): Cluster {
  const weight = weightOf(stretch)
  return { weight, sum: Float64Array.from(stretch.print!, (value) => value * weight) }
}

function joined(left: Cluster, right: Cluster): Cluster {
  return { weight: left.weight + right.weight, sum: left.sum.map((value, index) => value + right.sum[index]!) }
}

const cosine = (left: Float64Array, right: Float64Array): number =>
  dot(left, right) / Math.sqrt(dot(left, left) * dot(right, right) || 1)

function thinned(stretches: readonly Stretch[]): Stretch[] {
  if (stretches.length <= MAX_COMPARED) return [...stretches]
  const longest = stretches.toSorted((left, right) => right.end_ms - right.start_ms - (left.end_ms - left.start_ms))
  return longest.slice(0, MAX_COMPARED).toSorted((left, right) => left.start_ms - right.start_ms)
}

export interface Stretch {
  readonly start_ms: number
  readonly end_ms: number
  readonly print: Float32Array | null
}

/** Rounds the embedding as in the saved state, so that a resumed run uses the same values. */
export function stretchOf(start: number, end: number, print: Vector | null): Stretch {
  return { start_ms: Math.round(start), end_ms: Math.round(end), print: print === null ? null : fromBytes(toBytes(print)) }
}

const keptSchema = z.object({
  heard_samples: z.int().min(0),
  loudest: z.number().min(0),
  stretches: z.array(z.tuple([z.int(), z.int(), z.string().nullable()])),
})

type Kept = Omit<z.infer<typeof keptSchema>, 'stretches'> & { readonly stretches: readonly Stretch[] }

export function keptText({ stretches, ...rest }: Kept): string {
  const rows = stretches.map(({ start_ms, end_ms, print }) => [start_ms, end_ms, print === null ? null : base64(toBytes(print))])
  return JSON.stringify({ ...rest, stretches: rows })
}

export function readKept(text: string): Kept {
  const { stretches, ...rest } = keptSchema.parse(JSON.parse(text))
  return {
    ...rest,
    stretches: stretches.map(([start_ms, end_ms, print]) => ({
      start_ms,
      end_ms,
      print: print === null ? null : fromBytes(new Int8Array(Buffer.from(print, 'base64'))),
    })),
  }
}

const base64 = (bytes: Int8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

type Vector = Float32Array | Float64Array

export function dot(left: Vector, right: Vector): number {
  let sum = 0
  for (let index = 0; index < left.length; index++) sum += left[index]! * right[index]!
  return sum
}

export function unit(vector: Vector): Float32Array | null {
  const length = Math.sqrt(dot(vector, vector))
  if (!(length > 0) || !Number.isFinite(length)) return null
  return Float32Array.from(vector, (value) => value / length)
}

function addTimes(sum: Float64Array, vector: Vector, weight: number): void {
  for (let index = 0; index < sum.length; index++) sum[index]! += vector[index]! * weight
}

function toBytes(vector: Vector): Int8Array {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  return Int8Array.from(vector, (value) => Math.round((value / (largest || 1)) * 127))
}

const fromBytes = (bytes: Int8Array): Float32Array | null => unit(Float32Array.from(bytes))
