import { appStrings, shortcutGroups } from '#renderer/strings/app.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { keysFor } from './app-state.ts'
import './shortcuts-dialog.css'

export function ShortcutsDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const words = appStrings.shortcuts
  return (
    <Dialog
      title={words.title}
      lead={words.lead}
      isOpen={isOpen}
      onClose={onClose}
      size="wide"
      isReading
      actions={
        <Button autoFocus onPress={onClose}>
          {words.close}
        </Button>
      }
    >
      <div className="shortcuts">
        {shortcutGroups.map((group) => (
          <section key={group.title}>
            <h3 className="ui-section-head">{group.title}</h3>
            <dl className="shortcuts-list">
              {group.lines.map((line) => (
                <div key={line.keys}>
                  <dt>
                    <kbd>{keysFor(line.keys)}</kbd>
                  </dt>
                  <dd>{line.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
