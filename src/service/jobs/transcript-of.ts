import type { Segment, Speaker, Transcript } from '#contract/model/transcript.ts'
import { languageCode } from '#engines/speech/language-code.ts'
import type { HeardSegment } from '#engines/speech/port.ts'
import { assignSpeakers } from '#engines/speech/speakers/assign.ts'
import type { Diarized } from '#engines/speech/speakers/diarizer-port.ts'
import { nameVoices } from '#engines/speech/speakers/roles.ts'
import type { newRecord } from '../store/records.ts'
import type { Hearing, Part } from './hear.ts'

interface Asked {
  readonly session_id: string | null
  readonly with_speakers: boolean
  /** How many people speak; null where nobody said. */
  readonly voices: number | null
  readonly language: string | null
}

type Said = Omit<HeardSegment, 'speaker'> & { readonly speaker_id: string | null; readonly voice?: string }
interface Turns {
  readonly said: readonly Said[]
  readonly speakers: readonly Speaker[]
}

const mostSpeakers = 40

/** What was heard, as one transcript on the recording's own clock. */
export function transcriptOf(hearing: Hearing, asked: Asked): Omit<Transcript, keyof ReturnType<typeof newRecord>> {
  const { parts, engine, spoken } = hearing
  const { said, speakers } = spoken === null ? byServer(parts, asked.with_speakers) : byVoice(parts, spoken, asked.voices)
  const last = parts.at(-1)
  return {
    session_id: asked.session_id,
    language: asked.language ?? languageCode(parts.find(({ heard }) => heard.language !== null)?.heard.language ?? null),
    duration_ms: last ? last.start_ms + last.duration_ms : 0,
    speakers: [...speakers],
    segments: said.map(segmentOf),
    engine,
  }
}

function segmentOf({ text, start_ms, end_ms, confidence, words, speaker_id, voice }: Said, index: number): Segment {
  const times = {
    start_ms,
    end_ms,
    text,
    confidence,
    ...(words.length > 0 ? { words: [...words] } : {}),
    ...(voice === undefined ? {} : { voice }),
  }
  return { id: `s${index + 1}`, speaker_id, ...times, edited: false }
}

/** Told apart on this machine, by the sound of the whole recording. */
function byVoice(parts: readonly Part[], { turns, voices }: Diarized, people: number | null): Turns {
  const assigned = assignSpeakers(parts.flatMap(onRecordingClock), turns)
  const speakers = nameVoices(assigned, voices, people)
  const said = assigned.map(({ voice, part, ...segment }) => {
    const speaker = voice === null ? undefined : speakers.get(voice)
    return speaker === undefined
      ? { ...segment, speaker_id: null }
      : { ...segment, speaker_id: speaker.id, voice: `${speaker.id}.${part + 1}` }
  })
  return { said, speakers: [...speakers.values()] }
}

/** As a server named them. It hears pieces one by one and does not know that a voice is the same in the next, so neither do we. */
function byServer(parts: readonly Part[], isWanted: boolean): Turns {
  const speakers = new Map<string, Speaker>()
  const said = parts.flatMap((part, index) =>
    onRecordingClock(part).map(({ speaker, ...segment }) => {
      const speaker_id = isWanted && speaker !== null ? speakerId(speakers, speaker, index, parts.length) : null
      return { ...segment, speaker_id }
    }),
  )
  return { said, speakers: [...speakers.values()] }
}

function speakerId(speakers: Map<string, Speaker>, name: string, part: number, parts: number): string | null {
  const id = parts > 1 ? `${part + 1}-${name}` : name
  const known = speakers.get(id)
  if (known) return known.id
  if (speakers.size >= mostSpeakers) return null
  const label = parts > 1 ? `Speaker ${speakers.size + 1} (part ${part + 1})` : `Speaker ${speakers.size + 1}`
  speakers.set(id, { id, label, role: 'unknown' })
  return id
}

function onRecordingClock({ start_ms: from, heard }: Part): HeardSegment[] {
  return heard.segments.map((segment) => ({
    ...segment,
    start_ms: from + segment.start_ms,
    end_ms: from + segment.end_ms,
    words: segment.words.map((word) => ({ ...word, start_ms: from + word.start_ms, end_ms: from + word.end_ms })),
  }))
}
