import type { EngineHost } from '#engines/engine-host.ts'
import type { TextModel } from '../writer/text-model.ts'
import { startLocalModel } from './gguf-model.ts'
import type { LocalEngine } from './gguf-model.ts'
import type { LocalModel } from './model-file.ts'

export interface KeptModels {
  open(local: LocalModel, signal: AbortSignal): Promise<TextModel>
  close(): void
}

/** A loaded model takes gigabytes: it is let go a while after it was last asked. */
const keptMs = 3 * 60_000

/** At most one model at a time, loaded when it is wanted and kept for the next draft. */
export function keptModels(host: EngineHost, keepMs = keptMs): KeptModels {
  let kept: { readonly name: string; readonly engine: LocalEngine } | null = null
  let timer: NodeJS.Timeout | undefined
  const close = (): void => {
    clearTimeout(timer)
    kept?.engine.close()
    kept = null
  }
  const used = (): void => {
    clearTimeout(timer)
    timer = setTimeout(close, keepMs).unref()
  }
  return {
    close,
    async open(local, signal) {
      const name = JSON.stringify(local)
      if (kept?.name !== name || !kept.engine.isAlive()) {
        close()
        kept = { name, engine: await startLocalModel(host, local, signal) }
      }
      used()
      const { model } = kept.engine
      return {
        ...model,
        async tell(question, stopped, onText) {
          clearTimeout(timer)
          return model.tell(question, stopped, onText).finally(used)
        },
      }
    },
  }
}
