import type { WrittenEntry } from '../catalogue-entry.ts'
import { hosted, repository } from './written.ts'

/** What finds speech, tells turns apart, and takes noise away. Small, and not bound to a language. */
export const helperModels: readonly WrittenEntry[] = [
  {
    id: 'silero-vad-6.2',
    name: 'Silero voice activity 6.2',
    task: 'vad',
    kind: null,
    languages: [],
    licence: 'MIT (Silero Team)',
    page: 'https://github.com/snakers4/silero-vad',
    listed_megabytes: 1.3,
    memory_mb: 20,
    // Real-time factor 0.004 of one thread on a two-core machine.
    speed_factor: 250,
    rank: 50,
    notes: 'Finds where somebody speaks, so that silence stays silence.',
    files: [
      {
        role: 'model',
        name: 'silero_vad_16k_op15.onnx',
        address: 'https://raw.githubusercontent.com/snakers4/silero-vad/v6.2.1/src/silero_vad/data/silero_vad_16k_op15.onnx',
        bytes: 1_289_603,
        sha256: '7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49',
      },
    ],
  },
  {
    id: 'pyannote-segmentation-3.0',
    name: 'Pyannote segmentation 3.0',
    task: 'segmentation',
    kind: null,
    languages: [],
    licence: 'MIT (CNRS)',
    page: repository('sherpa-onnx-pyannote-segmentation-3-0'),
    listed_megabytes: 6,
    memory_mb: 60,
    speed_factor: null,
    rank: 50,
    notes: 'Finds where one voice ends and another begins.',
    files: [hosted('sherpa-onnx-pyannote-segmentation-3-0', 'model', 'model.onnx')],
  },
  {
    id: 'gtcrn-simple',
    name: 'GTCRN noise reduction',
    task: 'denoise',
    kind: null,
    languages: [],
    licence: 'MIT (Xiaobin Rong)',
    page: 'https://github.com/Xiaobin-Rong/gtcrn',
    listed_megabytes: 0.5,
    memory_mb: 30,
    // Real-time factor 0.045 of one thread on a two-core machine.
    speed_factor: 22,
    rank: 50,
    notes: 'Optional. Helps in a noisy room.',
    files: [
      {
        role: 'model',
        name: 'gtcrn_simple.onnx',
        address: 'https://github.com/k2-fsa/sherpa-onnx/releases/download/speech-enhancement-models/gtcrn_simple.onnx',
        bytes: 535_638,
        sha256: 'e77603ac0c23dac3227dd2d7135b3a585cbee2679048aecfa886657d3ae1b534',
      },
    ],
  },
]
