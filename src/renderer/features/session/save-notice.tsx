import { CircleAlert } from 'lucide-react'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import type { SaveState } from './autosave.ts'

interface SaveNoticeProps {
  readonly save: SaveState
  readonly words: {
    readonly stale: string
    readonly staleHelp: string
    readonly reload: string
    readonly failed: string
    readonly tryAgain: string
  }
  readonly onReload: () => void
  readonly onRetry: () => void
}

/** Says so when what was typed is not stored, and stays until it is. */
export function SaveNotice({ save, words, onReload, onRetry }: SaveNoticeProps) {
  if (save === 'stale') {
    return (
      <Notice tone="needs" icon={CircleAlert} title={words.stale} actions={<Button onPress={onReload}>{words.reload}</Button>}>
        {words.staleHelp}
      </Notice>
    )
  }
  if (save === 'failed') {
    return (
      <Notice
        tone="stopped"
        icon={CircleAlert}
        title={words.failed}
        actions={<Button onPress={onRetry}>{words.tryAgain}</Button>}
      />
    )
  }
  return null
}
