declare module 'sherpa-onnx-node' {
  interface Running {
    numThreads: number
    provider: 'cpu'
    debug: 0
  }

  export interface OfflineRecognizerConfig {
    featConfig: { sampleRate: number; featureDim: number }
    modelConfig: Running & {
      tokens: string
      modelType?: string
      modelingUnit?: string
      bpeVocab?: string
      transducer?: { encoder: string; decoder: string; joiner: string }
      whisper?: { encoder: string; decoder: string; language: string; task: 'transcribe'; tailPaddings: number }
      moonshine?: { preprocessor: string; encoder: string; uncachedDecoder: string; cachedDecoder: string }
      nemoCtc?: { model: string }
      zipformerCtc?: { model: string }
      tdnn?: { model: string }
    }
    decodingMethod?: 'greedy_search' | 'modified_beam_search'
    maxActivePaths?: number
    hotwordsScore?: number
  }

  export interface OfflineResult {
    readonly text: string
    readonly lang: string
    readonly tokens: readonly string[]
    readonly timestamps: readonly number[]
    readonly durations: readonly number[]
    readonly ys_log_probs: readonly number[]
  }

  export interface Sound {
    readonly samples: Float32Array
    readonly sampleRate: number
  }

  export interface OfflineStream {
    acceptWaveform(sound: Sound): void
  }

  export interface OnlineStream extends OfflineStream {
    inputFinished(): void
  }

  export interface DiarizationConfig {
    segmentation: Running & { pyannote: { model: string } }
    embedding: Running & { model: string }
    clustering: { numClusters: number; threshold: number }
    minDurationOn: number
    minDurationOff: number
  }

  const sherpa: {
    readonly version: string
    readonly OfflineRecognizer: new (config: OfflineRecognizerConfig) => {
      createStream(hotwords?: string): OfflineStream
      decodeAsync(stream: OfflineStream): Promise<OfflineResult>
    }
    readonly Vad: new (
      config: Running & {
        sampleRate: number
        sileroVad: {
          model: string
          threshold: number
          minSilenceDuration: number
          minSpeechDuration: number
          maxSpeechDuration: number
          windowSize: number
        }
      },
      bufferSeconds: number,
    ) => {
      acceptWaveform(samples: Float32Array): void
      isEmpty(): boolean
      front(enableExternalBuffer: boolean): { readonly start: number; readonly samples: Float32Array }
      pop(): void
      flush(): void
      reset(): void
    }
    readonly OfflineSpeechDenoiser: new (config: { model: Running & { gtcrn: { model: string } } }) => {
      run(sound: Sound & { readonly enableExternalBuffer: boolean }): Sound
    }
    readonly OfflineSpeakerDiarization: new (config: DiarizationConfig) => {
      process(samples: Float32Array): { readonly start: number; readonly end: number; readonly speaker: number }[]
    }
    readonly SpeakerEmbeddingExtractor: new (config: Running & { model: string }) => {
      createStream(): OnlineStream
      isReady(stream: OnlineStream): boolean
      compute(stream: OnlineStream, enableExternalBuffer: boolean): Float32Array
    }
  }
  export default sherpa
}
