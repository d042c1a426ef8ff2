import { Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Autocomplete, Dialog, Input, Modal, ModalOverlay, SearchField } from 'react-aria-components'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { searchStrings } from '#renderer/strings/search.ts'
import { Problem } from '#renderer/ui/page.tsx'
import { FindResults } from './find-results.tsx'
import './find-dialog.css'

/** Ctrl+K: opens where the search field stands in the title bar. */
export function FindDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <ModalOverlay
      className="ui-scrim find-scrim"
      isDismissable
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Modal className="find-modal">
        <Dialog aria-label={searchStrings.title} className="find">
          <Find onClose={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function Find({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const found = useCall('search.find', { q }, { enabled: q !== '', keepPrevious: true })
  return (
    <Autocomplete inputValue={typed} onInputChange={setTyped}>
      <SearchField
        aria-label={searchStrings.field}
        className="find-field"
        autoFocus
        onKeyDown={(event) => {
          // The field would first empty itself: one Esc closes.
          if (event.key === 'Escape') onClose()
          else event.continuePropagation()
        }}
      >
        <Search aria-hidden />
        <Input autoComplete="off" className="find-input" placeholder={searchStrings.field} maxLength={200} />
      </SearchField>
      {found.error && <Problem code={found.error.code} />}
      <FindResults q={q} found={q === '' ? undefined : found.data} isLooking={found.isFetching} onChosen={onClose} />
    </Autocomplete>
  )
}
