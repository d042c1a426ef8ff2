import { statSync } from 'node:fs'
import { AppError } from '#contract/errors.ts'
import type { Voice } from '#contract/model/me.ts'
import type { Caller } from '#service/kernel/caller.ts'
import type { HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { sumsOf } from '../models/model-folder.ts'
import { checkAudio, decode, kindOf } from '#engines/speech/audio-source.ts'
import { type SpeakerModels, speakerModels } from '#engines/speech/plan.ts'
import { readVoice } from '#engines/speech/speakers/read-voice.ts'
import type { Database } from '../store/tables.ts'
import { deleteVoice, enrolledVoices, findVoice, putVoice, type VoiceOf } from '../store/voices.ts'
import type { EnrolledVoice } from '#engines/speech/port.ts'

/** Time limit in milliseconds for reading a voice from at most 25 seconds of sound. */
const MAX_READING = 300_000
const MOST = 25 * 16_000

type Parts = Pick<Services, 'db' | 'installed' | 'engines' | 'voiceKey'>

export function voiceHandlers(services: Parts & Pick<Services, 'closing'>): HandlersOf<'getVoice' | 'putVoice' | 'deleteVoice'> {
  return {
    getVoice: async ({ caller }) => {
      const models = await modelsNow(services)
      const sum = models === null ? null : await sumOf(models)
      return async (db) => ({ status: 200, data: await voiceOf(db, personOf(caller), sum), touched: [caller.person_id] })
    },
    putVoice: async ({ caller, body, now }) => {
      const models = await modelsNow(services)
      if (models === null || services.engines === null)
        throw new AppError('engine-not-ready', 'The models that tell voices apart are not installed.')
      const sound = await soundOf(Buffer.from(body.audio.content, 'base64'), body.audio.media_type)
      const sum = await sumOf(models)
      const either = AbortSignal.any([services.closing, AbortSignal.timeout(MAX_READING)])
      const read = await readVoice(services.engines, models, sound, either)
      return async (db) => {
        const whose = personOf(caller)
        await putVoice(db, services.voiceKey, whose, { ...read, model_sha256: sum, enrolled_at: now })
        return { status: 200, data: await voiceOf(db, whose, sum), touched: [caller.person_id] }
      }
    },
    deleteVoice: async ({ caller }) => {
      const models = await modelsNow(services)
      const sum = models === null ? null : await sumOf(models)
      return async (db) => {
        await deleteVoice(db, personOf(caller))
        return { status: 200, data: await voiceOf(db, personOf(caller), sum), touched: [caller.person_id] }
      }
    },
  }
}

export async function voicesToKnow(services: Parts, practice: string): Promise<EnrolledVoice[]> {
  const models = await modelsNow(services)
  return models === null ? [] : enrolledVoices(services.db, services.voiceKey, practice, await sumOf(models))
}

async function modelsNow({ db, installed, engines }: Parts): Promise<SpeakerModels | null> {
  return installed === null || engines === null ? null : speakerModels(await installed(db))
}

async function sumOf({ embedding }: SpeakerModels): Promise<string> {
  return (await sumsOf(embedding, statSync(embedding).size)).sha256
}

async function voiceOf(db: Database, whose: VoiceOf, sum: string | null): Promise<Voice> {
  const found = await findVoice(db, whose)
  return {
    enrolled_at: found?.enrolled_at ?? null,
    heard_ms: found?.heard_ms ?? null,
    usable: found !== null && found.model_sha256 === sum,
    ready: sum !== null,
  }
}

const personOf = ({ practice_id, person_id }: Caller): VoiceOf => ({ practice: practice_id, person: person_id })

async function soundOf(bytes: Buffer, mediaType: string): Promise<Int16Array> {
  const kind = kindOf(mediaType)
  checkAudio(bytes, kind)
  const samples: number[] = []
  for await (const part of decode(
    kind,
    (async function* whole() {
      yield bytes
    })(),
  )) {
    for (const sample of part) samples.push(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767))
    if (samples.length > MOST) throw new AppError('too-large', 'Twenty seconds of speech are enough.')
  }
  return Int16Array.from(samples)
}
