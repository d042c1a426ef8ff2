import type { Log } from '#base/log.ts'
import type { SpeechSettings } from '#base/engine-settings.ts'
import type { EngineHost } from '#engines/engine-host.ts'
import { decode } from '#engines/speech/audio-source.ts'
import { openAiCompatible, type Tuning } from '#engines/speech/openai-compatible.ts'
import { planSpeech } from '#engines/speech/plan.ts'
import type { ModelsNow } from '../models/installed.ts'
import type { Database } from '../store/tables.ts'
import { hearAll, type Part, type Wishes } from './hear.ts'

/** Returns the words in Ogg Opus sound and stores nothing. `sound` is read again after an engine crash. */
export type Hear = (sound: () => AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<string>

interface Ports {
  readonly db: Database
  readonly log: Log
  readonly speech: () => SpeechSettings | null
  readonly installed: ModelsNow | null
  readonly host: EngineHost | null
  readonly tuning: Tuning | undefined
}

const wishes: Wishes = { language: null, vocabulary: [], with_speakers: false, voices: null, reduce_noise: false }

export function createHear({ db, log, speech, installed, host, tuning }: Ports): Hear {
  return async (sound, signal) => {
    const plan = planSpeech(speech(), installed && (await installed(db)))
    const server = plan.words.kind === 'server' ? openAiCompatible(plan.words.settings, tuning) : null
    const kept = keptInMemory()
    const open = async () => ({ sound: decode('ogg', sound()), share: () => 0 })
    const nothing = async (): Promise<void> => {}
    const told = { requireAgreed: nothing, progress: nothing, pieceSeconds: undefined }
    const { parts } = await hearAll({ plan, wishes, enrolled: [], host, server, kept, log, signal, open, ...told })
    const segments = parts.flatMap(({ heard }) => heard.segments)
    return segments.flatMap(({ text }) => text.trim() || []).join(' ')
  }
}

function keptInMemory() {
  const parts = new Map<number, Part>()
  return {
    part: (index: number) => parts.get(index) ?? null,
    knowsSpeakers: () => true,
    speakers: async () => null,
    reached: () => parts.size,
    keepPart: async (index: number, part: Part) => void parts.set(index, part),
    keepSpeakers: async () => {},
  }
}
