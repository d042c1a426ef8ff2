import type { RecoveryReport } from '#contract/bridge/recovery.ts'
import { FileX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { useAppState } from '#renderer/lib/app-state.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, settingsPath } from '#renderer/lib/routes.ts'
import { lostWords, reportWords as words } from '#renderer/strings/recovery.ts'
import { formatFullDate } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/page.tsx'
import './recovery-report.css'

type Item = RecoveryReport['items'][number]

export function headingOf(report: RecoveryReport) {
  const lost = report.items.filter((item) => !item.is_recovered)
  const isNaming = lost.some(({ kind }) => kind !== 'list' && kind !== 'other')
  const isUnlisted = report.file === 'recordings' || lost.some(({ kind }) => kind === 'list')
  return {
    title: words.title({ isLosing: isNaming, isUnlisted }),
    lead: isJournalLost(report) ? words.journalLost : words.happened(report),
  }
}

/** The core doesn't know whether the deleted WAL had changes. */
const isJournalLost = ({ file, cause, set_aside, items }: RecoveryReport): boolean =>
  file === 'vault' && cause === 'behind' && set_aside.length === 0 && items.every(({ kind }) => kind === 'list')

function setAsideWords({ file, cause, set_aside }: RecoveryReport): string {
  if (file === 'recordings') return words.brokenLinks({ files: set_aside })
  return cause === 'behind' && file !== 'keys' ? words.older({ files: set_aside }) : words.setAside({ files: set_aside })
}

export function ReportText({ report }: { readonly report: RecoveryReport }) {
  const app = useAppState()
  const { file, cause, set_aside, copies, unreadable_pages, pages, items, solved_at } = report
  const [recovered, notRecovered] = [items.filter((item) => item.is_recovered), items.filter((item) => !item.is_recovered)]
  const lost = notRecovered.filter(({ kind }) => kind !== 'other')
  const isMissed = lost.length > 0
  const mayPutBack = solved_at === null && (file === 'vault' || file === 'service') && (cause === 'missing' || isMissed)
  const named = lost.filter(({ kind }) => kind !== 'list')
  const isUnlisted = named.length < lost.length
  const isOfLinks = file === 'recordings'
  const namesFolder = set_aside.length > 0 || lost.length > 0 || mayPutBack
  return (
    <>
      {solved_at !== null && <p>{words.solved({ day: formatFullDate(solved_at) })}</p>}
      {file === 'keys' && <p>{cause === 'behind' ? words.olderKeys : words.otherKeys}</p>}
      {file === 'keys' && cause === 'behind' && <p>{words.olderKeysNext}</p>}
      {unreadable_pages > 0 && (isMissed || unreadable_pages === pages) && <p>{words.parts(unreadable_pages, pages)}</p>}
      {set_aside.length > 0 && <p>{setAsideWords(report)}</p>}
      {lost.length === 0 && solved_at === null && !isOfLinks && file !== 'keys' && (
        <p>{file === 'service' && cause === 'missing' ? words.madeAgain : words.allRecovered}</p>
      )}
      {isUnlisted && <p>{isJournalLost(report) ? words.journalLostNext : words.unlisted}</p>}
      {lost.length < notRecovered.length && <p>{words.ownData}</p>}
      <Items title={words.lost} items={named} />
      {named.some(isOfUnknownClient) && <p>{words.unknownClientNext}</p>}
      {lost.some(({ kind }) => kind === 'connection') && <p>{words.reconnect}</p>}
      {isMissed && <p>{words.lostNext}</p>}
      {copies.length > 0 && isMissed && <p>{words.copies({ files: copies })}</p>}
      {mayPutBack && <p>{words.putBack({ file })}</p>}
      {lost.some(({ kind }) => kind === 'recording') && <p>{words.recordingsBack}</p>}
      {namesFolder && app && <p className="data-folder">{words.folder({ path: app.data_folder })}</p>}
      <Items title={words.recovered} items={recovered} isFolded={recovered.length > MAX_OPEN} />
    </>
  )
}

/**
 * If records were lost and no clients are left, a notice replaces `otherwise`, because "No clients yet" would be false. If
 * clients are left, the notice appears above `otherwise`, but only if the records' file was missing and the losses
 * can't be listed.
 */
export function MissingRecords({ otherwise = null }: { readonly otherwise?: ReactNode }) {
  const app = useAppState()
  const unread = useCall('recovery.reports', {}).data ?? []
  const read = useCall('recovery.readReports', {}).data ?? []
  const clients = useCall('clients.list', {}).data
  if (clients === undefined) return otherwise
  const isEmpty = clients.length === 0
  const report = [...unread, ...read].find(isEmpty ? isLosing : isUnlistedWithoutFile)
  if (report === undefined) return otherwise
  return (
    <>
      <Notice
        tone="needs"
        icon={FileX}
        title={isEmpty ? lostWords.empty : lostWords.some}
        actions={<Button onPress={() => navigate(settingsPath('advanced'))}>{lostWords.toReports}</Button>}
      >
        <p>{`${words.happened(report)} ${lostWords.found({ day: formatFullDate(report.at) })} ${lostWords.emptyNext}`}</p>
        {app && <p className="data-folder">{words.folder({ path: app.data_folder })}</p>}
      </Notice>
      {!isEmpty && otherwise}
    </>
  )
}

const isOfUnknownClient = ({ kind, client_name }: Item): boolean => kind === 'client' && client_name === words.unknownClient

const ofTheApp: ReadonlySet<Item['kind']> = new Set(['other', 'settings', 'connection'])
const isLosing = ({ file, items }: RecoveryReport): boolean =>
  file === 'vault' && items.some(({ kind, is_recovered }) => !is_recovered && !ofTheApp.has(kind))
const isUnlistedWithoutFile = ({ file, cause, items }: RecoveryReport): boolean =>
  file === 'vault' && cause === 'missing' && items.some(({ kind, is_recovered }) => !is_recovered && kind === 'list')

const MAX_OPEN = 12

function Items({ title, items, isFolded = false }: Readonly<{ title: string; items: readonly Item[]; isFolded?: boolean }>) {
  const name = useName()
  const [isOpen, setOpen] = useState(!isFolded)
  if (items.length === 0) return null
  const [ofNone, ofClients] = [items.filter(isOfNoClient), items.filter((item) => !isOfNoClient(item))]
  return (
    <section className="recovery-report">
      <h3>{title}</h3>
      {isOpen ? (
        <>
          {ofNone.length > 0 && <Lines lines={linesOf(ofNone)} />}
          {[...Map.groupBy(ofClients, ({ client_name }) => client_name)].map(([client, found]) => (
            <div key={client}>
              <strong>{client === null ? words.unknownClient : name(client)}</strong>
              <Lines lines={daysOf(found)} />
            </div>
          ))}
        </>
      ) : (
        <Button onPress={() => setOpen(true)}>{words.showRecovered({ count: items.length })}</Button>
      )}
    </section>
  )
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

const lists = ['clients', 'consents', 'sessions', 'transcripts', 'notes'] as const
const ofNoClient: ReadonlySet<Item['kind']> = new Set(['settings', 'connection', 'template', 'other', ...lists])
const isOfNoClient = ({ kind }: Item): boolean => ofNoClient.has(kind)

function daysOf(items: readonly Item[]): string[] {
  const days = Map.groupBy(items, ({ date }) => (date === null ? words.unknownDate : formatFullDate(date)))
  return [...days].map(([day, found]) => `${day}: ${linesOf(found).join(', ')}`)
}

function linesOf(items: readonly Item[]): string[] {
  const alike = Map.groupBy(items, ({ kind, is_partial, is_signed }) => `${kind} ${is_partial} ${is_signed}`)
  return [...alike.values()].map((found) => words.line(found.at(-1)!, found.length))
}
