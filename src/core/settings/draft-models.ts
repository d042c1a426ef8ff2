import { existsSync } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { MethodOutput } from '#contract/bridge/methods.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { LanguageSettings } from '#base/engine-settings.ts'

export type DraftModels = ReturnType<typeof openDraftModels>

export function openDraftModels(profile: string, resources: string, isPackaged: boolean) {
  const folder = join(profile, 'draft-models')
  const home = isPackaged ? null : join(resources, '..', 'tools', 'llama')
  const isInstalled = (): boolean => home !== null && existsSync(join(home, 'node_modules', 'node-llama-cpp', 'package.json'))
  return {
    home,
    async list(): Promise<MethodOutput<'settings.draftModels'>> {
      if (home === null) return { offered: false, installed: false, folder, files: [] }
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const names = (await readdir(folder)).filter((name) => name.toLowerCase().endsWith('.gguf')).toSorted()
      const found = await Promise.all(names.map(async (name) => ({ name, stat: await stat(join(folder, name)) })))
      const files = found.filter((each) => each.stat.isFile()).map(({ name, stat: { size } }) => ({ name, bytes: size }))
      return { offered: true, installed: isInstalled(), folder, files }
    },
    file: (name: string | null): string | null => (name === null || /[/\\]/.test(name) ? null : join(folder, name)),
  }
}

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
