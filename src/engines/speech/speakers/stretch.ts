import { z } from 'zod'
import { fromBytes, toBytes, type Vector } from './vectors.ts'

/** A stretch of one voice, whoever it is. */
export interface Stretch {
  readonly start_ms: number
  readonly end_ms: number
  /** Of length one; null: too short to know a voice by. */
  readonly print: Float32Array | null
}

/** Rounded as it is kept, so that a run that was cut off ends as one that was not. */
export function stretchOf(start: number, end: number, print: Vector | null): Stretch {
  return { start_ms: Math.round(start), end_ms: Math.round(end), print: print === null ? null : fromBytes(toBytes(print)) }
}

const keptSchema = z.object({
  heard_samples: z.int().min(0),
  loudest: z.number().min(0),
  stretches: z.array(z.tuple([z.int(), z.int(), z.string().nullable()])),
})

export interface Kept {
  readonly heard_samples: number
  readonly loudest: number
  readonly stretches: readonly Stretch[]
}

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
