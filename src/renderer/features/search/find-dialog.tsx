import { Search, MessageSquareQuote, UserRound } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import {
  Autocomplete,
  Dialog,
  Input,
  Modal,
  ModalOverlay,
  SearchField,
  Header,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Text,
} from 'react-aria-components'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { searchStrings } from '#renderer/strings/app.ts'
import { Problem } from '#renderer/ui/page.tsx'
import type { WordHit } from '#contract/bridge/library.ts'
import type { MethodOutput } from '#contract/bridge/methods.ts'
import { useName } from '#renderer/lib/names.ts'
import { clientPath, navigate, sessionPath } from '#renderer/lib/routes.ts'
import { Spoken } from '#renderer/ui/spoken.tsx'
import { formatDate, formatMoment } from '#renderer/strings/time.ts'
import './find-dialog.css'

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

interface FindResultsProps {
  readonly q: string
  readonly found: MethodOutput<'search.find'> | undefined
  readonly isLooking: boolean
  readonly onChosen: () => void
}

function FindResults({ q, found, isLooking, onChosen }: FindResultsProps) {
  const nameOf = useName()
  const clients = found?.clients ?? []
  const words = found?.words ?? []
  const count = clients.length + words.length
  const open = (path: string): void => {
    navigate(path)
    onChosen()
  }
  return (
    <>
      <p className="visually-hidden" role="status">
        {found ? searchStrings.count({ count }) : ''}
      </p>
      <ListBox
        aria-label={searchStrings.results}
        className="find-results"
        renderEmptyState={() => <FindEmpty q={q} isLooking={isLooking || found === undefined} />}
      >
        {clients.length > 0 && (
          <ListBoxSection>
            <Header className="find-head">{searchStrings.clients}</Header>
            {clients.map(({ id, display_name }) => (
              <ListBoxItem
                key={id}
                id={id}
                textValue={nameOf(display_name)}
                className="find-hit"
                onAction={() => open(clientPath(id))}
              >
                <UserRound aria-hidden />
                <Text slot="label">{nameOf(display_name)}</Text>
              </ListBoxItem>
            ))}
          </ListBoxSection>
        )}
        {words.length > 0 && (
          <ListBoxSection>
            <Header className="find-head">{searchStrings.words}</Header>
            {words.map((hit) => (
              <WordsHit
                key={`${hit.session_id} ${hit.segment_id}`}
                hit={hit}
                onOpen={() => open(sessionPath(hit.session_id, 'transcript', hit.segment_id))}
              />
            ))}
          </ListBoxSection>
        )}
      </ListBox>
    </>
  )
}

function FindEmpty({ q, isLooking }: { readonly q: string; readonly isLooking: boolean }) {
  if (q === '') return <p className="find-empty">{searchStrings.hint}</p>
  if (isLooking) return <p className="find-empty">{searchStrings.searching}</p>
  return (
    <p className="find-empty">
      <strong>{searchStrings.nothing}</strong> {searchStrings.nothingText}
    </p>
  )
}

function WordsHit({ hit, onOpen }: { readonly hit: WordHit; readonly onOpen: () => void }) {
  const nameOf = useName()
  const said = hit.excerpt.map(({ text }) => text).join('')
  return (
    <ListBoxItem id={`${hit.session_id} ${hit.segment_id}`} textValue={said} className="find-hit" onAction={onOpen}>
      <MessageSquareQuote aria-hidden />
      <span className="find-words">
        <Text slot="label">
          <Spoken size="small">
            {hit.excerpt.map(({ text, matched }, index) =>
              // oxlint-disable-next-line react/no-array-index-key -- the parts of one excerpt never change order
              matched ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
            )}
          </Spoken>
        </Text>
        <Text slot="description" className="find-where">
          {searchStrings.at({ name: nameOf(hit.client_name), day: formatDate(hit.starts_at) })}
          {hit.start_ms !== null && ` · ${formatMoment(hit.start_ms)}`}
        </Text>
      </span>
    </ListBoxItem>
  )
}
