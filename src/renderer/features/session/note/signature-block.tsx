import { CircleAlert, Check, PenLine } from 'lucide-react'
import type { Note } from '#contract/model/note.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { noteWords } from '#renderer/strings/note.ts'
import { Button } from '#renderer/ui/button.tsx'
import { formatClock, formatDate } from '#renderer/strings/time.ts'

const words = noteWords.signed

export function SignatureBlock({ note }: { readonly note: Note }) {
  const verify = useAction('notes.verify')
  const { signature } = note
  if (signature === null) return null
  return (
    <section className="signature ui-card" aria-label={words.by(signature.by, signature.credential)}>
      <p className="signature-by">
        <PenLine aria-hidden />
        <strong>{words.by(signature.by, signature.credential)}</strong>
        <span className="muted tabular">{words.at(formatDate(signature.at), formatClock(signature.at))}</span>
      </p>
      <dl className="signature-hash">
        <dt className="caption">{words.hash}</dt>
        <dd className="tabular">{signature.content_hash}</dd>
      </dl>
      <div className="signature-check">
        <Button size="row" busy={verify.isPending ? words.verifying : undefined} onPress={() => verify.mutate({ id: note.id })}>
          {words.verify}
        </Button>
        <p role="status" className={verify.data?.intact === true ? 'signature-intact' : 'signature-broken'}>
          {verify.data !== undefined && (verify.data.intact ? <Check aria-hidden /> : <CircleAlert aria-hidden />)}
          {verify.error !== null
            ? words.verifyFailed
            : verify.data === undefined
              ? ''
              : verify.data.intact
                ? words.intact
                : words.broken}
        </p>
      </div>
    </section>
  )
}
