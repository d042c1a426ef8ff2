import { appStrings, shortcutGroups } from '#renderer/strings/app.ts'
import { ReadingDialog } from '#renderer/ui/dialog.tsx'
import { keysFor } from './app-state.ts'
import './shortcuts-dialog.css'

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const words = appStrings.shortcuts
  return (
    <ReadingDialog title={words.title} lead={words.lead} onClose={onClose} close={words.close}>
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
    </ReadingDialog>
  )
}
