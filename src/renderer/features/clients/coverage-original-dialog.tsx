import type { StoredCoverage } from '#contract/model/coverage.ts'
import { useSettings } from '#renderer/lib/use-settings.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { coverageStrings } from '#renderer/strings/coverage.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Loading, Problem } from '#renderer/ui/page.tsx'

const words = coverageStrings.original

export function OriginalDialog({ said, onClose }: { readonly said: StoredCoverage; readonly onClose: () => void }) {
  /** It is another's text, in which no name can be told from the rest. */
  const isHidden = useSettings()?.hide_names ?? true
  const found = useCall('coverage.original', { eligibility_id: said.eligibility_id }, { enabled: !isHidden })
  return (
    <Dialog
      title={words.title(said.payer.name)}
      lead={words.lead}
      isOpen
      onClose={onClose}
      size="wide"
      isReading
      actions={
        <Button autoFocus onPress={onClose}>
          {words.close}
        </Button>
      }
    >
      {isHidden && <p>{words.hidden}</p>}
      {found.isLoading && <Loading>{words.loading}</Loading>}
      {found.error && <Problem code={found.error.code} onRetry={() => void found.refetch()} />}
      {found.data && !isHidden && <pre className="coverage-original">{found.data.text.replaceAll(/~(?!\r?\n)/g, '~\n')}</pre>}
    </Dialog>
  )
}
