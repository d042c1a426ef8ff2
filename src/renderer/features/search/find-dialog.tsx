import { Search } from 'lucide-react'
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
} from 'react-aria-components'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { keysFor } from '#renderer/lib/app-state.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { navigate } from '#renderer/lib/routes.ts'
import { searchStrings } from '#renderer/strings/app.ts'
import { daysFromNow } from '#renderer/strings/time.ts'
import { Problem } from '#renderer/ui/page.tsx'
import { daysMeant } from './days-meant.ts'
import { type Entry, type Hit, type HitGroup, useHitGroups } from './find-groups.tsx'
import './find-dialog.css'

interface FindProps {
  readonly commands: readonly Entry[]
  readonly settings: readonly Entry[]
  readonly onClose: () => void
}

export function FindDialog({ isOpen, ...props }: FindProps & { readonly isOpen: boolean }) {
  return (
    <ModalOverlay
      className="ui-scrim find-scrim"
      isDismissable
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) props.onClose()
      }}
    >
      <Modal className="find-modal">
        <Dialog aria-label={searchStrings.title} className="find">
          <Find {...props} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function Find({ commands, settings, onClose }: FindProps) {
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const { data, error, isFetching } = useCall('search.find', { q }, { enabled: q !== '', keepPrevious: true })
  const found = q === '' ? undefined : data
  const appointments = useAppointmentsOn(q)
  const groups = useHitGroups({ q, found, appointments, commands, settings })
  const open = (hit: Hit): void => {
    onClose()
    if (typeof hit.open === 'string') navigate(hit.open)
    else hit.open()
  }
  return (
    <Autocomplete inputValue={typed} onInputChange={setTyped}>
      <SearchField
        aria-label={searchStrings.field}
        className="find-field"
        autoFocus
        onKeyDown={(event) => {
          // The list takes the focus off a result that disappears while more is typed.
          const isUnchosen = document.querySelector('.find-hit[data-focused]') === null && q === typed.trim()
          const first = isUnchosen ? groups[0]?.hits[0] : undefined
          if (event.key === 'Escape') onClose()
          else if (event.key === 'Enter' && first !== undefined) open(first)
          else event.continuePropagation()
        }}
      >
        <Search aria-hidden />
        <Input autoComplete="off" className="find-input" placeholder={searchStrings.field} maxLength={200} />
      </SearchField>
      {error && <Problem code={error.code} />}
      <p className="visually-hidden" role="status">
        {found ? searchStrings.count({ count: groups.reduce((sum, { hits }) => sum + hits.length, 0) }) : ''}
      </p>
      {q === '' && <p className="find-hint">{searchStrings.hint}</p>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls must be reachable by keyboard */}
      <div className="find-results" role="region" aria-label={searchStrings.results} tabIndex={0}>
        <ListBox
          aria-label={searchStrings.results}
          renderEmptyState={() => <FindEmpty isLooking={isFetching || found === undefined} />}
        >
          {groups.map((group) => (
            <FoundGroup key={group.id} group={group} onOpen={open} />
          ))}
        </ListBox>
      </div>
    </Autocomplete>
  )
}

function useAppointmentsOn(q: string) {
  const now = useNow(60_000)
  const days = daysMeant(q, now)
  const [from, to] = [days[0] ?? now, days.at(-1) ?? now]
  const end = new Date(to.getFullYear(), to.getMonth(), to.getDate() + 1)
  const input = { from: from.toISOString(), to: end.toISOString() }
  const { data = [] } = useCall('sessions.list', days.length === 0 ? {} : input, { enabled: days.length > 0 })
  return data.filter(({ session }) => days.some((day) => daysFromNow(session.starts_at, day) === 0))
}

function FoundGroup({ group: { id, title, hits }, onOpen }: { readonly group: HitGroup; readonly onOpen: (hit: Hit) => void }) {
  return (
    <ListBoxSection id={id}>
      <Header className="find-head">{title}</Header>
      {hits.map((hit) => (
        <ListBoxItem key={hit.id} id={`${id} ${hit.id}`} textValue={hit.text} className="find-hit" onAction={() => onOpen(hit)}>
          <hit.icon aria-hidden />
          <span className="find-words">
            <span>{hit.label ?? hit.text}</span>
            {hit.detail !== undefined && <span className="find-where"> {hit.detail}</span>}
          </span>
          {hit.keys !== undefined && <kbd>{keysFor(hit.keys)}</kbd>}
        </ListBoxItem>
      ))}
    </ListBoxSection>
  )
}

function FindEmpty({ isLooking }: { readonly isLooking: boolean }) {
  if (isLooking) return <p className="find-empty">{searchStrings.searching}</p>
  return (
    <p className="find-empty">
      <strong>{searchStrings.nothing}</strong> {searchStrings.nothingText}
    </p>
  )
}
