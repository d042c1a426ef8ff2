import { Copy, Printer } from 'lucide-react'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { recoveryCodeStrings as words } from '../strings/app.ts'
import { Button } from './button.tsx'
import { formatFullDate } from '../strings/time.ts'
import './recovery-code.css'

interface RecoveryCodeProps {
  readonly code: string
  /** Resolves to the seconds until the clipboard is cleared, or to null if it never is. */
  readonly onCopy: (text: string) => Promise<number | null>
}

export function RecoveryCode({ code, onCopy }: RecoveryCodeProps) {
  const [told, setTold] = useState('')
  const copy = async (): Promise<void> => {
    try {
      const seconds = await onCopy(code)
      setTold(seconds === null ? words.copied : words.copiedFor({ seconds }))
    } catch {
      setTold(words.copyFailed)
    }
  }
  return (
    <>
      <Groups code={code} />
      <p className="muted">{words.keep}</p>
      <div className="recovery-ways">
        <Button icon={Printer} onPress={() => window.print()}>
          {words.print}
        </Button>
        <Button icon={Copy} onPress={() => void copy()}>
          {words.copy}
        </Button>
        <span className="caption" role="status">
          {told}
        </span>
      </div>
      {createPortal(<Paper code={code} />, document.body)}
    </>
  )
}

function Groups({ code }: { readonly code: string }) {
  return (
    <p className="recovery-code" aria-label={words.label} role="group">
      {code.split('-').map((group, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two groups may be equal, and they never change order
        <span key={index} className="recovery-code-group">
          {group}
        </span>
      ))}
    </p>
  )
}

function Paper({ code }: { readonly code: string }) {
  return (
    <div className="recovery-paper" aria-hidden>
      <p className="recovery-paper-title">{words.paper.title}</p>
      <p>{words.paper.made({ day: formatFullDate(new Date()) })}</p>
      <Groups code={code} />
      <p>{words.paper.text}</p>
      <p>{words.paper.use}</p>
      <p>{words.paper.keep}</p>
    </div>
  )
}
