import { AppError } from '#contract/errors.ts'
import type { EngineHost } from '#engines/engine-host.ts'
import type { LanguageSettings } from '#base/engine-settings.ts'
import type { ChatTuning, KnownQuirks } from './chat/chat-model.ts'
import { startLocalModel, type LocalEngine } from './gguf/gguf-model.ts'
import type { LocalModel } from './gguf/llama-library.ts'
import type { LanguagePort, TextModel } from './port.ts'

export interface LanguageEngines {
  state(): { readonly name: string; readonly ready: boolean; readonly hint: string | null }
  /** The selected model, or null for drafts without AI. Throws if a model is to be used but is not ready. */
  chosen(signal: AbortSignal): Promise<TextModel | null>
  close(): void
}

interface Surroundings {
  readonly chat?: ChatTuning | undefined
  readonly host?: EngineHost | undefined
}

const noAddress = 'The AI server’s address is missing. Enter it in Settings, or turn AI drafting off.'
const noModel = 'No AI model is chosen. Choose one in Settings, or turn AI drafting off.'
const notOffered = 'This app can’t run AI models from a file. Choose an AI server in Settings, or turn AI drafting off.'
const noHost = 'This server can’t run AI models. Enter the address of an AI server.'

export function languageEngines(settings: () => LanguageSettings, { chat, host }: Surroundings = {}): LanguageEngines {
  const quirks: KnownQuirks = new Map()
  const models = host === undefined ? null : keptModels(host)
  const state = (now: LanguageSettings) => stateOf(now, models !== null)
  return {
    state: () => state(settings()),
    close: () => models?.close(),
    async chosen(signal) {
      const now = settings()
      const { ready, hint } = state(now)
      if (!ready) throw new AppError('engine-not-ready', hint ?? undefined)
      if (now.kind === 'server' && now.address !== null) {
        // Loaded on demand, so that drafting without AI does not load this module.
        const { chatModel } = await import('./chat/chat-model.ts')
        return chatModel({ ...now, address: now.address }, quirks, signal, chat)
      }
      if (now.kind === 'model' && now.file !== null && now.home !== null && models !== null)
        return models.open({ ...now, file: now.file, home: now.home }, signal)
      return null
    },
  }
}

function stateOf(settings: LanguageSettings, canRun: boolean): ReturnType<LanguageEngines['state']> {
  switch (settings.kind) {
    case 'rules':
      return { name: 'rules', ready: true, hint: null }
    case 'server':
      return { name: 'openai-compatible', ready: settings.address !== null, hint: settings.address === null ? noAddress : null }
    case 'model': {
      const hint = !canRun ? noHost : settings.home === null ? notOffered : settings.file === null ? noModel : null
      return { name: 'llama', ready: hint === null, hint }
    }
  }
}

export const onlyEngine = (engine: LanguagePort): LanguageEngines => ({
  state: () => ({ name: engine.engine.name, ready: true, hint: null }),
  chosen: async () => null,
  close: () => {},
})

/** A loaded model uses gigabytes of memory, so unload it after this idle time. */
const KEPT_MS = 3 * 60_000

function keptModels(host: EngineHost, keepMs = KEPT_MS) {
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
    async open(local: LocalModel, signal: AbortSignal): Promise<TextModel> {
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
