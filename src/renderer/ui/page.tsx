import type { UseQueryResult } from '@tanstack/react-query'
import { CircleAlert, type LucideIcon } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components'
import { isErrorCode, type ErrorCode } from '#contract/errors.ts'
import { appStrings, fieldStrings } from '../strings/app.ts'
import { errorSentences } from '../strings/errors.ts'
import { Button, BusyRing } from './button.tsx'
import './page.css'
import './tabs.css'

interface PageProps {
  readonly title: ReactNode
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly aside?: ReactNode
  readonly asideLabel?: string
  readonly className?: string
  readonly children?: ReactNode
}

export function Page({ title, lead, actions, aside, asideLabel, className, children }: PageProps) {
  return (
    <div className={`ui-page ${className ?? ''}`}>
      <main className="ui-page-main" data-region tabIndex={-1}>
        <header className="ui-page-head">
          <h1 className="ui-page-title">{title}</h1>
          {actions !== undefined && <div className="ui-page-actions">{actions}</div>}
          {lead !== undefined && lead !== null && <p className="ui-page-lead">{lead}</p>}
        </header>
        <div className="ui-page-body">{children}</div>
      </main>
      {aside !== undefined && aside !== null && (
        <aside className="ui-page-aside" aria-label={asideLabel} data-region tabIndex={-1}>
          {aside}
        </aside>
      )}
    </div>
  )
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="ui-card ui-empty">
      <p className="ui-empty-title">{title}</p>
      {children !== undefined && <div className="ui-empty-text">{children}</div>}
    </div>
  )
}

interface LoadingProps {
  readonly children?: ReactNode
  readonly progress?: number
  readonly left?: string
}

export function Loading({ children = fieldStrings.loading, progress, left }: LoadingProps) {
  const [isDue, setDue] = useState(progress !== undefined)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), 300)
    return () => clearTimeout(timer)
  }, [])
  if (!isDue) return null
  if (progress === undefined) {
    return (
      <p className="ui-loading" role="status">
        <BusyRing />
        {children}
      </p>
    )
  }
  return (
    <div className="ui-card ui-loading-card">
      <p className="ui-loading-words">
        <strong>{children}</strong>
        {left !== undefined && <span className="caption">{left}</span>}
      </p>
      <progress
        className="ui-progress"
        value={progress}
        max={1}
        aria-label={typeof children === 'string' ? children : fieldStrings.loading}
      />
    </div>
  )
}

export function Problem({ code, onRetry }: { readonly code: ErrorCode | (string & {}) | null; readonly onRetry?: () => void }) {
  const sentence = errorSentences[isErrorCode(code) ? code : 'internal']
  return (
    <div className="ui-card ui-problem" role="alert">
      <p className="ui-problem-title">
        <CircleAlert aria-hidden />
        {sentence.happened}
      </p>
      <p className="ui-problem-text">
        {sentence.kept} {sentence.next}
      </p>
      {onRetry !== undefined && (
        <div className="ui-problem-actions">
          <Button size="row" onPress={onRetry} label={fieldStrings.tryAgain} />
        </div>
      )}
    </div>
  )
}

interface AnswerProps<Data> {
  readonly of: UseQueryResult<Data, Error & { readonly code: ErrorCode }>
  readonly loading?: string
  readonly children?: (data: Data & {}) => ReactNode
}

export function Answer<Data>({ of: { data, error, isPending, refetch }, loading, children }: AnswerProps<Data>) {
  return (
    <>
      {isPending && <Loading>{loading}</Loading>}
      {error && <Problem code={error.code} onRetry={() => void refetch()} />}
      {data !== undefined && data !== null && children?.(data)}
    </>
  )
}

export function Section({ title, className, children }: Readonly<{ title: ReactNode; className?: string; children: ReactNode }>) {
  return (
    <section className={className}>
      <h2 className="ui-section-head">{title}</h2>
      {children}
    </section>
  )
}

interface NoticeProps {
  readonly tone?: 'neutral' | 'needs' | 'stopped' | 'kept'
  readonly icon?: LucideIcon
  readonly title?: ReactNode
  readonly text?: ReactNode
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

export function Notice({ tone = 'neutral', icon: Icon, title, text, children = text, actions }: NoticeProps) {
  return (
    <div className={`ui-card ui-notice ui-notice-${tone}`} role={tone === 'stopped' ? 'alert' : undefined}>
      {Icon && <Icon aria-hidden />}
      <div className="ui-notice-words">
        {title !== undefined && <p className="ui-notice-title">{title}</p>}
        {children !== undefined && <div className="ui-notice-text">{children}</div>}
      </div>
      {actions !== undefined && <div className="ui-notice-actions">{actions}</div>}
    </div>
  )
}

export function Mark({ size = 'small' }: { readonly size?: 'small' | 'middle' | 'large' }) {
  return (
    <span className={`mark mark-${size}`} aria-hidden>
      {appStrings.mark}
    </span>
  )
}

interface TabItem<Id extends string> {
  readonly id: Id
  readonly label: ReactNode
  readonly content: ReactNode
}

interface TabsProps<Id extends string> {
  readonly label: string
  readonly items: readonly TabItem<Id>[]
  readonly selected: Id
  readonly onSelect: (id: Id) => void
  readonly className?: string
}

export function Tabs<Id extends string>({ label, items, selected, onSelect, className }: TabsProps<Id>) {
  return (
    <AriaTabs
      className={`ui-tabs ${className ?? ''}`}
      selectedKey={selected}
      onSelectionChange={(key) => {
        const chosen = items.find((item) => item.id === key)
        if (chosen) onSelect(chosen.id)
      }}
    >
      <TabList aria-label={label} className="ui-tab-list">
        {items.map((item) => (
          <Tab key={item.id} id={item.id} className="ui-tab">
            {item.label}
          </Tab>
        ))}
      </TabList>
      {items.map((item) => (
        <TabPanel key={item.id} id={item.id} className="ui-tab-panel">
          {item.content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}

interface PairsProps {
  readonly className: string
  readonly items: readonly (readonly [name: string, value: ReactNode])[]
  readonly isTabular?: boolean
}

export function Pairs({ className, items, isTabular = false }: PairsProps) {
  return (
    <dl className={className}>
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={isTabular ? 'tabular' : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
