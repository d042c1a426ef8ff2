import { AppError } from '#contract/errors.ts'
import type { LanguageSettings } from '../ports.ts'
import type { ChatTuning, KnownManners } from './chat/chat-model.ts'
import type { LanguagePort } from './port.ts'
import { rulesLanguage } from './rules/engine.ts'
import { modelLanguage } from './writer/model-language.ts'

export interface LanguageEngines {
  /** Always there: copies and rules, no model. */
  readonly rules: LanguagePort
  state(): { readonly name: string; readonly ready: boolean; readonly hint: string | null }
  /**
   * The engine that is chosen at this moment. What was asked of one is never done by another: where it is not ready,
   * that is said.
   *
   * @throws AppError `engine-not-ready`
   */
  chosen(signal: AbortSignal): Promise<LanguagePort>
}

const noAddress = 'A model server is to write drafts, but its address is missing. Give it in Settings, or choose drafts without AI.'
const noModel = 'A model on this laptop is to write drafts, and none is set up. Choose one in Settings, or drafts without AI.'

export function languageEngines(settings: () => LanguageSettings, tuning: ChatTuning = {}): LanguageEngines {
  const rules = rulesLanguage()
  const manners: KnownManners = new Map()
  return {
    rules,
    state: () => stateOf(settings()),
    async chosen(signal) {
      const now = settings()
      const { ready, hint } = stateOf(now)
      if (!ready) throw new AppError('engine-not-ready', hint ?? undefined)
      if (now.kind !== 'server' || now.address === null) return rules
      // Loaded when it is wanted: nobody who drafts without AI waits for it.
      const { chatModel } = await import('./chat/chat-model.ts')
      return modelLanguage(await chatModel({ ...now, address: now.address }, manners, signal, tuning))
    },
  }
}

function stateOf(settings: LanguageSettings): ReturnType<LanguageEngines['state']> {
  switch (settings.kind) {
    case 'rules':
      return { name: 'rules', ready: true, hint: null }
    case 'server':
      return { name: 'openai-compatible', ready: settings.address !== null, hint: settings.address === null ? noAddress : null }
    case 'model':
      return { name: 'llama', ready: false, hint: noModel }
  }
}

/** A fixed engine, for whoever brings one. */
export function onlyEngine(engine: LanguagePort): LanguageEngines {
  return {
    rules: engine,
    state: () => ({ name: engine.engine.name, ready: true, hint: null }),
    chosen: async () => engine,
  }
}
