import { AppError } from '#contract/errors.ts'
import type { EngineHost } from '#engines/engine-host.ts'
import { createLevel, levelled, withListening } from '../local/listening.ts'
import type { SpeakerModels } from '../plan.ts'
import type { Diarized } from '../port.ts'

const MIN_MS = 6000
const MAX_OTHERS = 0.15

export interface ReadVoice {
  readonly embedding: Float32Array
  readonly heard_ms: number
}

export async function readVoice(
  host: EngineHost,
  models: SpeakerModels,
  sound: Int16Array,
  signal: AbortSignal,
): Promise<ReadVoice> {
  const speakers = { ...models, voices: 2, enrolled: [], kept: null }
  return withListening(host, { words: null, speakers }, signal, async (listening) => {
    const samples = levelled(sound, createLevel()(sound))
    await listening.hear({ index: 0, samples, wantWords: false, keep: false })
    return onlyVoice(await listening.speakers(null))
  })
}

function onlyVoice({ voices }: Diarized): ReadVoice {
  const [most, ...others] = voices.toSorted((left, right) => right.spoken_ms - left.spoken_ms)
  const otherMs = others.reduce((sum, { spoken_ms }) => sum + spoken_ms, 0)
  if (most === undefined || most.spoken_ms < MIN_MS)
    throw new AppError('voice-unclear', 'Too little speech was heard. Read the whole paragraph aloud, near the microphone.')
  if (otherMs > most.spoken_ms * MAX_OTHERS)
    throw new AppError('voice-unclear', 'More than one voice was heard. Read it again where nobody else speaks.')
  return { embedding: most.embedding, heard_ms: Math.round(most.spoken_ms) }
}
