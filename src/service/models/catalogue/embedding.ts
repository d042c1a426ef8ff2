import type { WrittenEntry } from '../catalogue-entry.ts'
import { hosted, repository } from './written.ts'

const from = 'speaker-embedding-models'

const embedding = (
  file: string,
  more: Pick<WrittenEntry, 'id' | 'name' | 'licence' | 'listed_megabytes' | 'rank' | 'notes'>,
): WrittenEntry => ({
  task: 'embedding',
  kind: null,
  languages: [],
  page: repository(from),
  memory_mb: 120,
  speed_factor: null,
  files: [hosted(from, 'model', file)],
  ...more,
})

/** What makes a voice comparable with another. */
export const embeddingModels: readonly WrittenEntry[] = [
  embedding('wespeaker_en_voxceleb_resnet34_LM.onnx', {
    id: 'wespeaker-resnet34-lm',
    name: 'WeSpeaker ResNet34',
    licence: 'CC-BY-4.0 (WeSpeaker)',
    listed_megabytes: 27,
    rank: 60,
    notes: 'Tells voices apart.',
  }),
  embedding('nemo_en_titanet_small.onnx', {
    id: 'nemo-titanet-small',
    name: 'TitaNet small',
    licence: 'CC-BY-4.0 (NVIDIA)',
    listed_megabytes: 40,
    rank: 50,
    notes: 'Tells voices apart.',
  }),
  embedding('3dspeaker_speech_campplus_sv_en_voxceleb_16k.onnx', {
    id: '3dspeaker-campplus-en',
    name: '3D-Speaker CAM++',
    licence: 'Apache-2.0 (3D-Speaker)',
    listed_megabytes: 30,
    rank: 40,
    notes: 'Tells voices apart.',
  }),
]
