import { Download } from 'lucide-react'
import type { ModelList } from '#contract/model/speech-model.ts'
import { useAttempt } from '#renderer/bridge/use-attempt.ts'
import { call } from '#renderer/bridge/use-bridge.ts'
import { modelStrings } from '#renderer/strings/models.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { formatBytes } from '#renderer/strings/time.ts'
import { knowsLanguage } from './speech-language.ts'

const words = modelStrings.set

/** What is missing of the set for this laptop, asked for with one press. */
export function RecommendedSet({ list, language }: { readonly list: ModelList; readonly language: string }) {
  const { doing, error, attempt } = useAttempt<'install'>()
  const set = list.data.filter((model) => model.recommended)
  const missing = set.filter(({ installed, operation }) => installed === null && operation === null)
  // Somebody who has a recogniser of their choice is not told to take another.
  const hasOther = list.data.some(
    (model) => model.task === 'recognition' && model.installed !== null && !model.recommended && knowsLanguage(model, language),
  )
  const wanted = hasOther ? missing.filter(({ task }) => task !== 'recognition') : missing
  if (wanted.length === 0) return null
  const size = wanted.reduce((sum, { megabytes }) => sum + megabytes, 0)
  const install = () =>
    attempt('install', async () => {
      // The small ones first: the large one is tried out with them.
      for (const { id } of wanted.toSorted((one, other) => one.megabytes - other.megabytes)) await call('models.install', { id })
    })
  return (
    <div className="setting">
      <div className="setting-words">
        <p className="setting-label">{words.title}</p>
        <p className="setting-text">
          {words.text(
            wanted.map(({ name }) => name),
            modelStrings.size(list.machine.memory_mb),
          )}{' '}
          {words.space(formatBytes(list.machine.free_bytes))}
        </p>
        {error !== null && <Problem code={error} />}
      </div>
      <Button icon={Download} busy={doing === null ? undefined : modelStrings.waits} onPress={() => void install()}>
        {words.install(modelStrings.size(size))}
      </Button>
    </div>
  )
}
