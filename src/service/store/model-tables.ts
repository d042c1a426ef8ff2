import type { ModelTask } from '#contract/model/speech-model.ts'

export interface ModelTable {
  id: string
  name: string
  task: ModelTask
  kind: string | null
  languages: string
  origin: 'source' | 'import' | 'own'
  rank: number
  /** JSON list: name, role, length, checksum, checksum source, modification time at the last check. */
  files: string
  chosen: 0 | 1
  installed_at: string
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
  /** Voice embedding, AES-256-GCM with a separate key. */
  sealed: Uint8Array
  enrolled_at: string
}
