import { figureNames } from '#contract/model/analytics.ts'
import { figureStrings } from '#renderer/strings/figures.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'

interface Props {
  /** As the service that counted says it. */
  readonly definitions: Readonly<Record<string, string>>
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function DefinitionsDialog({ definitions, isOpen, onClose }: Props) {
  return (
    <Dialog
      title={figureStrings.how}
      lead={figureStrings.howLead}
      isOpen={isOpen}
      onClose={onClose}
      size="wide"
      isReading
      actions={
        <Button autoFocus onPress={onClose}>
          {figureStrings.close}
        </Button>
      }
    >
      <dl className="figure-definitions">
        {figureNames.map((name) => (
          <div key={name}>
            <dt>{figureStrings.names[name]}</dt>
            <dd>{definitions[name] ?? figureStrings.unknown}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
