import { TriangleAlert } from 'lucide-react'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { writerWords } from '#renderer/strings/writer.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { ChoiceSetting, Told, type GroupProps } from './setting.tsx'

const words = writerWords.local

/** A model in a file: which there are, and which one writes. */
export function LocalModel({ settings }: GroupProps) {
  const { data, error, isFetching, refetch } = useCall('settings.draftModels', {})
  const chosen = settings.language_file
  if (error !== null) return <Problem code={error.code} onRetry={() => void refetch()} />
  if (data === undefined) return null
  if (!data.offered) {
    return (
      <Notice tone="needs" icon={TriangleAlert} title={words.notOffered}>
        {words.notOfferedHelp}
      </Notice>
    )
  }
  const there = data.files.map(({ name, bytes }) => ({ value: name, label: name, detail: words.size(bytes) }))
  const isGone = chosen !== null && !data.files.some(({ name }) => name === chosen)
  const options = isGone ? [{ value: chosen, label: chosen, detail: words.gone }, ...there] : there
  return (
    <>
      {!data.installed && (
        <Notice tone="needs" icon={TriangleAlert} title={words.notInstalled}>
          {words.notInstalledHelp}
        </Notice>
      )}
      <Told label={words.folder}>{words.folderText(data.folder)}</Told>
      {options.length === 0 ? (
        <Told label={words.file}>{words.none}</Told>
      ) : (
        <ChoiceSetting
          label={words.file}
          text={words.fileText(chosen)}
          note={words.stays}
          value={chosen ?? ''}
          options={options}
          patch={(language_file) => ({ language_file: language_file === '' ? null : language_file })}
        />
      )}
      <div className="setting setting-test">
        <Button busy={isFetching ? words.look : undefined} onPress={() => void refetch()}>
          {words.look}
        </Button>
      </div>
    </>
  )
}
