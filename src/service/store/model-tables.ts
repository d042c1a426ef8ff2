import type { ModelTask } from '#contract/model/speech-model.ts'

export interface ModelTable {
  id: string
  name: string
  task: ModelTask
  kind: string | null
  /** JSON list. */
  languages: string
  origin: 'source' | 'import' | 'own'
  /** Among models of one task the better one stands higher. */
  rank: number
  /** JSON list: name, role, length, checksum and where it was taken from, time of the last look. */
  files: string
  chosen: 0 | 1
  installed_at: string
  /** JSON. */
  self_test: string | null
  self_test_problem: string | null
}

export interface ModelInstallTable {
  operation_id: string
  model_id: string
}

export interface VoiceTable {
  practice_id: string
  person_id: string
  model_sha256: string
  heard_ms: number
  /** The numbers of the voice; AES-256-GCM with a key of its own. */
  sealed: Uint8Array
  enrolled_at: string
}
