import { canonicalJson } from '#domain/canonical-note.ts'
import type { TranscriptDraft } from '#contract/model/transcript.ts'
import { sha256 } from '../notes/note-signing.ts'

export function hashTranscript(transcript: TranscriptDraft): string {
  const { session_id, language, duration_ms, speakers, segments, engine } = transcript
  return sha256(canonicalJson({ session_id, language, duration_ms, speakers, segments, engine }))
}
