import type { LanguageSettings } from '#base/engine-settings.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { DraftModels } from './draft-models.ts'

export function draftWriter(settings: Settings, key: string | null, models: DraftModels): LanguageSettings {
  const { language_address: address, language_model: model, language_context_tokens: context_tokens } = settings
  switch (settings.language_engine) {
    case 'rules':
      return { kind: 'rules' }
    case 'server':
      return { kind: 'server', address, model, key, context_tokens }
    case 'model':
      return { kind: 'model', file: models.file(settings.language_file), home: models.home, context_tokens }
  }
}
