import { Copy, Printer } from 'lucide-react'
import { useState } from 'react'
import { gateStrings } from '#renderer/strings/gate.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/choice.tsx'
import { Step } from './step.tsx'
import './recovery-step.css'

const words = gateStrings.recovery

/** Shown once. Groups stay whole in a line, so that it can be read aloud and copied by hand. */
export function RecoveryStep({ code, onDone }: { readonly code: string; readonly onDone: () => void }) {
  const [isWritten, setWritten] = useState(false)
  const [told, setTold] = useState('')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(code)
      setTold(words.copied)
    } catch {
      // The clipboard may be refused by the system; the code can be selected and copied by hand.
      setTold(words.copyFailed)
    }
  }
  return (
    <Step
      title={words.title}
      lead={words.lead}
      {...(isWritten ? {} : { hint: words.writtenFirst })}
      nextLabel={words.done}
      isDisabled={!isWritten}
      onNext={onDone}
    >
      <p className="recovery-code" aria-label={words.codeLabel} role="group">
        {code.split('-').map((group, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two groups may be equal, and they never move
          <span key={index} className="recovery-code-group">
            {group}
          </span>
        ))}
      </p>
      <p className="recovery-print">{words.printText}</p>
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
      <Checkbox isSelected={isWritten} onChange={setWritten}>
        {words.written}
      </Checkbox>
    </Step>
  )
}
