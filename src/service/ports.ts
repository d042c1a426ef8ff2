/** What the service needs from outside; structurally equal to what the core offers, which it never imports. */

export interface RecordingAudioPort {
  stat(recordingId: string): Promise<{ bytes: number; sha256: string | null; session_id: string } | null>
  /** Ogg bytes, made as they are read. */
  read(recordingId: string, start?: number, end?: number): AsyncIterable<Uint8Array>
}

/** Where an OpenAI-compatible server listens. */
export interface SpeechSettings {
  /** Ends in `/v1`. */
  readonly address: string
  readonly model: string | null
  readonly key: string | null
  readonly language: string | null
}
