import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import sherpa, { type OfflineRecognizerConfig, type OfflineResult } from 'sherpa-onnx-node'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecognizerKind } from '#contract/model/speech-model.ts'
import { type RecognizerModel, SAMPLE_RATE } from '../port.ts'
import type { OpenMessage } from './messages.ts'

/** Maximum seconds per call. Whisper's window is 30 s; other models' memory use grows with the square of the length. */
const longestSeconds = (kind: RecognizerKind): number => (kind === 'whisper' ? 28 : 24)
const hasTokenTimes = (kind: RecognizerKind): boolean => kind !== 'whisper' && kind !== 'moonshine'

export interface Recogniser {
  readonly longestSeconds: number
  readonly tellsTimes: boolean
  recognise(samples: Float32Array): Promise<OfflineResult>
}

type Wishes = Pick<NonNullable<OpenMessage['words']>, 'language' | 'vocabulary'>

export function loadRecogniser(model: RecognizerModel, { language, vocabulary }: Wishes, threads: number): Recogniser {
  const tokens = readFileSync(fileOf(model, 'tokens'), 'utf8')
  const isIcefall = model.kind === 'transducer' && isIcefallTransducer(tokens)
  // Hotwords need a slower search, so the recognizer uses that search only if there are hotwords.
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
    longestSeconds: longestSeconds(model.kind),
    tellsTimes: hasTokenTimes(model.kind),
    recognise(samples) {
      const stream = hotwords === '' ? recogniser.createStream() : recogniser.createStream(hotwords)
      stream.acceptWaveform({ samples, sampleRate: SAMPLE_RATE })
      return recogniser.decodeAsync(stream)
    },
  }
}

const expecting = (config: OfflineRecognizerConfig, bpeVocab: string): InstanceType<typeof sherpa.OfflineRecognizer> =>
  new sherpa.OfflineRecognizer({
    ...config,
    modelConfig: { ...config.modelConfig, modelingUnit: 'bpe', bpeVocab },
    decodingMethod: 'modified_beam_search',
    maxActivePaths: 4,
    hotwordsScore: 1.5,
  })

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

/** Icefall models have the blank token first, NeMo models last. The library must be given the right model type. */
const isIcefallTransducer = (tokens: string): boolean => /^<(?:blk|blank|eps)> 0\s*$/m.test(tokens.slice(0, 200))

function fileOf({ files }: RecognizerModel, role: string): string {
  const file = files[role]
  if (file === undefined) throw new Error(`no ${role} file`)
  return file
}

/** Whisper's language codes. An unknown code would crash the engine process. */
const known = new Set(
  (
    'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it ja jw ka kk km ' +
    'kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk ' +
    'tl tr tt uk ur uz vi yi yo zh'
  ).split(' '),
)
const others: Readonly<Record<string, string>> = { nb: 'no', fil: 'tl', jv: 'jw', iw: 'he', cmn: 'zh' }

export function whisperLanguage(tag: string | null): string {
  const plain = tag?.split('-')[0]?.toLowerCase() ?? ''
  const named = others[plain] ?? plain
  return known.has(named) ? named : ''
}

const signs = /[/:#@]/g

/** Leaves out phrases that the tokens cannot spell, because one of them would make the library drop all hotwords. */
export function hotwordsOf(vocabulary: readonly string[], tokensFile: string): string {
  const tokens = new Set(tokensIn(tokensFile))
  const isUpperCase = ![...tokens].some((token) => /^▁?\p{Ll}+$/u.test(token))
  return vocabulary
    .map((phrase) => phrase.replaceAll(signs, ' ').replaceAll(/\s+/g, ' ').trim())
    .flatMap((phrase) => [isUpperCase ? phrase.toUpperCase() : phrase, phrase.toLowerCase()].find(canWrite(tokens)) ?? [])
    .join('/')
}

/** The library needs a score for each token, so each token gets its negative index. The temporary file has no user text. */
function withTokenWorth<Result>(tokensFile: string, use: (file: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-tokens-'))
  try {
    const file = join(folder, 'bpe.vocab')
    writeFileSync(
      file,
      `${tokensIn(tokensFile)
        .map((token, index) => `${token}\t${-index}`)
        .join('\n')}\n`,
    )
    return use(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const tokensIn = (file: string): string[] => file.split('\n').flatMap((line) => /^(\S+) \d+\s*$/.exec(line)?.[1] ?? [])

function canWrite(tokens: ReadonlySet<string>): (phrase: string) => boolean {
  return (phrase) => {
    if (phrase === '') return false
    const written = `▁${phrase.replaceAll(' ', '▁')}`
    const reached = new Set([0])
    for (let at = 0; at < written.length; at += 1) {
      if (!reached.has(at)) continue
      for (let end = at + 1; end <= written.length; end += 1) if (tokens.has(written.slice(at, end))) reached.add(end)
    }
    return reached.has(written.length)
  }
}
