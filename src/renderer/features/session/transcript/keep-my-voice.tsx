import { AudioLines } from 'lucide-react'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { transcriptWords as words } from '#renderer/strings/transcript.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'

/** The therapist's own turns say as well whose voice it is as a paragraph read aloud. Asked for, never done by itself. */
export function KeepMyVoice({ sessionId }: { readonly sessionId: string }) {
  const voice = useCall('voices.get', {})
  const enroll = useAction('voices.enrollFromSession')
  const toast = useToast()
  if (!voice.data?.ready || (voice.data.enrolled_at !== null && voice.data.usable)) return null
  return (
    <div className="keep-my-voice">
      <Button
        size="row"
        icon={AudioLines}
        busy={enroll.isPending ? words.keepingVoice : undefined}
        onPress={() =>
          enroll.mutate(
            { session_id: sessionId },
            {
              onSuccess: () => {
                toast({ text: words.keptVoice })
                void voice.refetch()
              },
            },
          )
        }
      >
        {words.keepVoice}
      </Button>
      <p className="caption">{words.keepVoiceHelp}</p>
      {enroll.error && <Problem code={enroll.error.code} />}
    </div>
  )
}
