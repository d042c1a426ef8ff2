import { Download, Ellipsis, RotateCcw } from 'lucide-react'
import type { Transcript } from '#contract/model/transcript.ts'
import { navigate, sessionPath } from '#renderer/lib/navigation.ts'
import { call, failureCode } from '#renderer/bridge/use-bridge.ts'
import { errorSentences } from '#renderer/strings/errors.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Menu } from '#renderer/ui/menu.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { download } from '#renderer/bridge/download.ts'
import { HeadActions } from '../head-actions.tsx'
import type { SessionData } from '../session-data.ts'
import { whyNotAgain } from './write-again.ts'

interface ActionsProps {
  readonly data: SessionData
  readonly transcript: Transcript
  readonly speechReady: boolean
}

export function TranscriptActions({ data, transcript, speechReady }: ActionsProps) {
  // Captions are nothing but times.
  const hasTimes = transcript.segments.some(({ start_ms }) => start_ms !== null)
  const toast = useToast()
  const sessionId = data.row.session.id
  const orTell = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (failure) {
      toast({ text: errorSentences[failureCode(failure)].happened, kind: 'told' })
    }
  }
  const save = (format: 'txt' | 'vtt' | 'json'): Promise<void> =>
    orTell(async () => {
      download(await call('exports.transcript', { session_id: sessionId, format }))
      toast({ text: words.exported, kind: 'told' })
    })
  const writeAgain = (): Promise<void> => orTell(async () => void (await call('transcripts.request', { session_id: sessionId })))
  return (
    <HeadActions>
      <Menu
        label={words.export}
        trigger={<Button icon={Download}>{words.export}</Button>}
        entries={(['txt', ...(hasTimes ? (['vtt'] as const) : []), 'json'] as const).map((format) => ({
          id: format,
          label: words.exports[format],
          onAction: () => void save(format),
        }))}
      />
      <More whyNot={whyNotAgain(data, transcript, speechReady)} onAgain={() => void writeAgain()} />
      <Button variant="filled" onPress={() => navigate(sessionPath(sessionId, 'note'))}>
        {words.toNote}
      </Button>
    </HeadActions>
  )
}

/** Left out where no engine could write it; off, with the reason, where something would be lost. */
function More({ whyNot, onAgain }: { readonly whyNot: ReturnType<typeof whyNotAgain>; readonly onAgain: () => void }) {
  if (whyNot === 'no-engine' || whyNot === 'no-sound' || whyNot === 'own') return null
  return (
    <Menu
      label={words.more}
      trigger={<IconButton label={words.more} icon={Ellipsis} variant="outlined" />}
      entries={[
        {
          id: 'again',
          label: words.writeAgain,
          detail: whyNot === null ? words.writeAgainHelp : words.whyNotAgain[whyNot],
          icon: RotateCcw,
          isDisabled: whyNot !== null,
          onAction: onAgain,
        },
      ]}
    />
  )
}
