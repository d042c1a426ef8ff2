/** The real detector and hand-made stand-ins for the other models (../shared/models), as if they were installed. */
import { readFileSync } from 'node:fs'
import type { EngineHost, EngineProcess } from '#engines/engine-host.ts'
import { forkedEngines } from '#engines/engine-host.ts'
import { readWav } from '#engines/speech/decode-wav.ts'
import type { InstalledModels } from '#engines/speech/port.ts'
import { testData } from '#test/support/machine.ts'

const model = (name: string): string => testData('models', name)

/** Knows the words of session-flite.wav and nothing else. */
export const recogniser = model('standin/recogniser-standin.onnx')
export const tokens = model('standin/recogniser-standin.tokens.txt')
export const vad = model('silero_vad_16k_op15.onnx')

export function installed(changes: Partial<Record<keyof InstalledModels, string | null>> = {}): InstalledModels {
  const path = (task: keyof InstalledModels, usual: string | null) => (): string | null => {
    const given = changes[task]
    return given === undefined ? usual : given
  }
  const words = path('speech', recogniser)
  return {
    speech: () => {
      const file = words()
      return file === null ? null : { kind: 'tdnn_ctc', name: 'stand-in', files: { model: file, tokens } }
    },
    vad: path('vad', vad),
    segmentation: path('segmentation', null),
    embedding: path('embedding', null),
    denoiser: path('denoiser', null),
  }
}

export const withSpeakers = {
  segmentation: model('standin/segmentation-standin.onnx'),
  embedding: model('standin/speaker-embedding-standin.onnx'),
}

export function samplesOfFile(name: string): Int16Array {
  const { data } = readWav(readFileSync(testData('speech', name)))
  return new Int16Array(Uint8Array.from(data).buffer)
}

/** What session-flite.wav says, turn after turn. */
export const said = (): string => readFileSync(testData('speech', 'session-flite.tsv'), 'utf8').replaceAll(/^[TC]\t/gm, '')

export interface WatchedHost extends EngineHost {
  readonly started: EngineProcess[]
  /** Those that run now. */
  readonly running: Set<EngineProcess>
}

/** Real engine processes that a test may look at and kill. */
export function watchedEngines(onMessage: (message: unknown, engine: EngineProcess) => void = () => {}): WatchedHost {
  const host = forkedEngines()
  const started: EngineProcess[] = []
  const running = new Set<EngineProcess>()
  return {
    started,
    running,
    start(program) {
      const engine = host.start(program)
      started.push(engine)
      running.add(engine)
      engine.onExit(() => running.delete(engine))
      engine.onMessage((message) => onMessage(message, engine))
      return engine
    },
  }
}
