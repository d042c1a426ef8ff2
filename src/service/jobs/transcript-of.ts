import type { Segment, Speaker, Transcript } from '#contract/model/transcript.ts'
import { languageCode } from '../speech/language-code.ts'
import type { newRecord } from '../store/records.ts'
import type { Hearing } from './hear.ts'

interface Asked {
  readonly session_id: string | null
  readonly with_speakers: boolean
  readonly language: string | null
}

/** What was heard, as one transcript on the recording's own clock. */
export function transcriptOf(hearing: Hearing, asked: Asked): Omit<Transcript, keyof ReturnType<typeof newRecord>> {
  const { parts, engine } = hearing
  const speakers = new Map<string, Speaker>()
  const segments: Segment[] = []
  for (const [part, { start_ms, heard }] of parts.entries()) {
    for (const { words, speaker, ...said } of heard.segments) {
      segments.push({
        id: `s${segments.length + 1}`,
        speaker_id: asked.with_speakers && speaker !== null ? speakerId(speakers, speaker, part, parts.length) : null,
        text: said.text,
        start_ms: start_ms + said.start_ms,
        end_ms: start_ms + said.end_ms,
        confidence: said.confidence,
        ...(words.length > 0
          ? { words: words.map((word) => ({ ...word, start_ms: start_ms + word.start_ms, end_ms: start_ms + word.end_ms })) }
          : {}),
        edited: false,
      })
    }
  }
  const last = parts.at(-1)
  return {
    session_id: asked.session_id,
    language: asked.language ?? languageCode(parts.find(({ heard }) => heard.language !== null)?.heard.language ?? null),
    duration_ms: last ? last.start_ms + last.duration_ms : 0,
    speakers: [...speakers.values()].slice(0, 40),
    segments,
    engine,
  }
}

/** An engine that hears pieces one by one does not know that a voice is the same in the next, so neither do we. */
function speakerId(speakers: Map<string, Speaker>, name: string, part: number, parts: number): string | null {
  const id = parts > 1 ? `${part + 1}-${name}` : name
  const known = speakers.get(id)
  if (known) return known.id
  if (speakers.size >= 40) return null
  const label = parts > 1 ? `Speaker ${speakers.size + 1} (part ${part + 1})` : `Speaker ${speakers.size + 1}`
  speakers.set(id, { id, label, role: 'unknown' })
  return id
}
