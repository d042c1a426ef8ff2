import { readFileSync } from 'node:fs'
import type { OfflineRecognizerConfig, OfflineResult } from 'sherpa-onnx-node'
import sherpa from 'sherpa-onnx-node'
import type { RecognizerKind } from '#contract/model/speech-model.ts'
import { SAMPLE_RATE } from '../pcm.ts'
import { hotwordsOf, withTokenWorth } from './hotwords.ts'
import type { OpenMessage } from './messages.ts'
import type { RecognizerModel } from './models-port.ts'
import { whisperLanguage } from './whisper-language.ts'

/** Seconds that a model hears in one go. Whisper's window is 30 s; the others need memory that grows with the square. */
const longestUtterance: Readonly<Record<RecognizerKind, number>> = {
  transducer: 24,
  whisper: 28,
  moonshine: 24,
  nemo_ctc: 24,
  zipformer_ctc: 24,
  tdnn_ctc: 24,
}
/** These tell when each token was said, so that a turn can be found inside of an utterance. */
const tellsTimes: Readonly<Record<RecognizerKind, boolean>> = {
  transducer: true,
  whisper: false,
  moonshine: false,
  nemo_ctc: true,
  zipformer_ctc: true,
  tdnn_ctc: true,
}

export interface Recogniser {
  readonly longestSeconds: number
  readonly tellsTimes: boolean
  recognise(samples: Float32Array): Promise<OfflineResult>
}

type Wishes = Pick<NonNullable<OpenMessage['words']>, 'language' | 'vocabulary'>

export function loadRecogniser(model: RecognizerModel, { language, vocabulary }: Wishes, threads: number): Recogniser {
  const tokens = readFileSync(fileOf(model, 'tokens'), 'utf8')
  const isIcefall = model.kind === 'transducer' && isIcefallTransducer(tokens)
  // Only icefall's transducers can be told which words to expect; the beam costs time, so it is taken for nothing else.
  const hotwords = isIcefall ? hotwordsOf(vocabulary, tokens) : ''
  const config: OfflineRecognizerConfig = {
    featConfig: { sampleRate: SAMPLE_RATE, featureDim: 80 },
    modelConfig: {
      ...partsOf(model, language, isIcefall),
      tokens: fileOf(model, 'tokens'),
      numThreads: threads,
      provider: 'cpu',
      debug: 0,
    },
  }
  const recogniser =
    hotwords === '' ? new sherpa.OfflineRecognizer(config) : withTokenWorth(tokens, (file) => expecting(config, file))
  return {
    longestSeconds: longestUtterance[model.kind],
    tellsTimes: tellsTimes[model.kind],
    recognise(samples) {
      const stream = hotwords === '' ? recogniser.createStream() : recogniser.createStream(hotwords)
      stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE })
      return recogniser.decodeAsync(stream)
    },
  }
}

function expecting(config: OfflineRecognizerConfig, bpeVocab: string): InstanceType<typeof sherpa.OfflineRecognizer> {
  return new sherpa.OfflineRecognizer({
    ...config,
    modelConfig: { ...config.modelConfig, modelingUnit: 'bpe', bpeVocab },
    decodingMethod: 'modified_beam_search',
    maxActivePaths: 4,
    hotwordsScore: 1.5,
  })
}

function partsOf(
  model: RecognizerModel,
  language: string | null,
  isIcefall: boolean,
): Partial<OfflineRecognizerConfig['modelConfig']> {
  const file = (role: string): string => fileOf(model, role)
  switch (model.kind) {
    case 'transducer':
      return {
        transducer: { encoder: file('encoder'), decoder: file('decoder'), joiner: file('joiner') },
        modelType: isIcefall ? 'transducer' : 'nemo_transducer',
      }
    case 'whisper':
      return {
        whisper: {
          encoder: file('encoder'),
          decoder: file('decoder'),
          language: whisperLanguage(language),
          task: 'transcribe',
          tailPaddings: -1,
        },
      }
    case 'moonshine':
      return {
        moonshine: {
          preprocessor: file('preprocessor'),
          encoder: file('encoder'),
          uncachedDecoder: file('uncached_decoder'),
          cachedDecoder: file('cached_decoder'),
        },
      }
    case 'nemo_ctc':
      return { nemoCtc: { model: file('model') } }
    case 'zipformer_ctc':
      return { zipformerCtc: { model: file('model') } }
    case 'tdnn_ctc':
      return { tdnn: { model: file('model') } }
  }
}

/** Icefall gives the blank the first place among the tokens, NeMo the last; the library must be told which it is. */
function isIcefallTransducer(tokens: string): boolean {
  return /^<(?:blk|blank|eps)> 0\s*$/m.test(tokens.slice(0, 200))
}

function fileOf({ files }: RecognizerModel, role: string): string {
  const file = files[role]
  if (file === undefined) throw new Error(`no ${role} file`)
  return file
}
