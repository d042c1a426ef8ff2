import { Check, CircleCheck, TriangleAlert } from 'lucide-react'
import { createContext, use, useEffect, useRef, useState, type ReactNode, type FormEvent } from 'react'
import type { Settings, SettingsPatch } from '#contract/bridge/settings.ts'
import { isNpi } from '#contract/model/staff.ts'
import { isWebAddress } from '#renderer/lib/places.ts'
import { replaceRoute, settingsPath, useRoute } from '#renderer/lib/routes.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { Switch } from '#renderer/ui/choice.tsx'
import { SelectField, TextField, type SelectOption } from '#renderer/ui/field.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { Button } from '#renderer/ui/button.tsx'

/** Not null inside a group, because the settings page shows groups only after the settings are loaded. */
export const SettingsContext = createContext<Settings | null>(null)

export const useKnownSettings = (): Settings => use(SettingsContext)!

export function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section ref={useFound(title)} className="settings-group" data-setting={title} tabIndex={-1}>
      <h2 className="settings-group-title">{title}</h2>
      <div className="settings-rows">{children}</div>
    </section>
  )
}

/** A link to a setting, `?setting=` with its label, shows the element of this ref and moves the focus to its first control. */
function useFound<Found extends HTMLElement>(label: string) {
  const found = useRef<Found>(null)
  const route = useRoute()
  const section = route.page === 'settings' && route.setting === label ? route.section : null
  useEffect(() => {
    if (section === null || found.current === null) return
    const control = found.current.querySelector<HTMLElement>('button:not([disabled]), input:not([disabled])')
    found.current.dataset['found'] = ''
    found.current.scrollIntoView({ block: 'center' })
    ;(control ?? found.current).focus({ preventScroll: true })
    replaceRoute(settingsPath(section))
  }, [section])
  return found
}

type SettingProps = Readonly<{ label: string; className?: string; children: ReactNode }>

export function Setting({ label, className = '', children }: SettingProps) {
  return (
    <div ref={useFound<HTMLDivElement>(label)} className={`setting ${className}`} data-setting={label} tabIndex={-1}>
      {children}
    </div>
  )
}

/** The sign that the last change is stored. It fades after a few seconds. */
function Saved({ of: { isSuccess, submittedAt } }: { readonly of: Readonly<{ isSuccess: boolean; submittedAt: number }> }) {
  return (
    <span className="setting-saved" role="status">
      {isSuccess && (
        <span key={submittedAt} className="setting-saved-sign">
          <Check aria-hidden />
          {settingsStrings.saved}
        </span>
      )}
    </span>
  )
}

type RowProps = Readonly<{ label: string; text?: ReactNode; isStatus?: boolean; action?: ReactNode; children?: ReactNode }>

export function Row({ label, text, isStatus = false, action, children }: RowProps) {
  return (
    <Setting label={label}>
      <div className="setting-words">
        <p className="setting-label">{label}</p>
        <p className="setting-text" role={isStatus ? 'status' : undefined}>
          {text}
        </p>
        {children}
      </div>
      {action}
    </Setting>
  )
}

type NameOf<Value> = { [Name in keyof SettingsPatch]-?: Settings[Name] extends Value ? Name : never }[keyof SettingsPatch]

interface SwitchSettingProps {
  readonly name: NameOf<boolean>
  readonly words: { readonly label: string; readonly on: string; readonly off: string }
}

export function SwitchSetting({ name, words: { label, on, off } }: SwitchSettingProps) {
  const isOn = useKnownSettings()[name]
  const update = useAction('settings.update')
  return (
    <Setting label={label} className="setting-switch">
      <Switch isSelected={isOn} onChange={(next) => update.mutate({ [name]: next })} detail={isOn ? on : off} label={label} />
      <Saved of={update} />
      {update.error && <Problem code={update.error.code} />}
    </Setting>
  )
}

interface ChoiceSettingProps<Value extends string> {
  readonly label: string
  readonly text: string
  readonly note?: string
  readonly value: Value
  readonly options: readonly SelectOption<Value>[]
  readonly patch: (value: Value) => SettingsPatch
}

export function ChoiceSetting<Value extends string>({ label, text, note, value, options, patch }: ChoiceSettingProps<Value>) {
  const update = useAction('settings.update')
  const change = (next: Value): void => update.mutate(patch(next))
  return (
    <Setting label={label}>
      <div className="setting-words">
        <p className="setting-label" aria-hidden>
          {label}
        </p>
        <p className="setting-text">{text}</p>
        {note !== undefined && <p className="caption">{note}</p>}
        {update.error && <Problem code={update.error.code} />}
      </div>
      <Saved of={update} />
      <SelectField className="setting-control" label={label} isLabelHidden value={value} options={options} onChange={change} />
    </Setting>
  )
}

interface TextSettingProps {
  readonly name: NameOf<string | number | null>
  readonly label: string
  readonly help: string
  readonly isNumber?: boolean
  readonly check?: (value: string) => string | null
}

export const checkAddress = (value: string): string | null =>
  value === '' || isWebAddress(value) ? null : settingsStrings.wrongAddress

const checkNpi = (value: string): string | null => (value === '' || isNpi(value) ? null : settingsStrings.wrongNpi)

export function TextSetting({ name, label, help, isNumber = false, check }: TextSettingProps) {
  const update = useAction('settings.update')
  const value = String(useKnownSettings()[name] ?? '')
  const [typed, setTyped] = useState(value)
  const [kept, setKept] = useState(value)
  const [wrong, setWrong] = useState<string | null>(null)
  if (value !== kept) {
    setKept(value)
    setTyped(value)
  }
  const keep = (): void => {
    const next = typed.trim()
    const problem = (name.endsWith('_npi') ? checkNpi : check)?.(next) ?? null
    setWrong(problem)
    if (problem !== null || next === value) return
    const stored = isNumber ? Number(next) : next
    update.mutate({ [name]: next === '' ? null : stored })
  }
  return (
    <Setting label={label} className="setting-text-field">
      <TextField
        label={label}
        help={help}
        value={typed}
        maxLength={500}
        onChange={(next) => {
          setTyped(next)
          update.reset()
        }}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === 'Enter') keep()
        }}
        error={wrong ?? (update.error?.code === 'validation-failed' ? update.error.fields[0]?.message : undefined)}
      />
      {update.error && update.error.code !== 'validation-failed' && <Problem code={update.error.code} />}
      <Saved of={{ ...update, isSuccess: update.isSuccess && typed.trim() === value }} />
    </Setting>
  )
}

const words = settingsStrings.speech

interface KeySettingProps {
  readonly which: 'speech' | 'language' | 'service'
  readonly kept: string
  readonly none: string
}

/** The key can be replaced but not read: the settings contain only whether a key is stored. */
export function KeySetting({ which, kept, none }: KeySettingProps) {
  const hasKey = useKnownSettings()[`${which}_has_key`]
  const setKey = useAction('settings.setKey', (_, { key }) => {
    if (key !== null) setTyped(null)
  })
  const [typed, setTyped] = useState<string | null>(null)
  const keep = (event: FormEvent): void => {
    event.preventDefault()
    if (typed !== null && typed.trim() !== '') setKey.mutate({ which, key: typed.trim() })
  }
  const actions = typed === null && (
    <div className="setting-actions">
      <Button onPress={() => setTyped('')} label={hasKey ? settingsStrings.change : words.keyAdd} />
      {hasKey && <Button variant="erasing" onPress={() => setKey.mutate({ which, key: null })} label={words.keyRemove} />}
    </div>
  )
  return (
    <Row label={words.key} text={hasKey ? kept : none} action={actions}>
      {typed !== null && (
        <form className="setting-key-form" onSubmit={keep}>
          <TextField
            label={words.key}
            isLabelHidden
            help={words.keyHelp}
            type="password"
            autoFocus
            maxLength={2000}
            value={typed}
            onChange={setTyped}
          />
          <Button type="submit" busy={setKey.isPending && settingsStrings.saving} label={settingsStrings.save} />
          <Button variant="quiet" onPress={() => setTyped(null)} label={settingsStrings.cancel} />
        </form>
      )}
      {setKey.error && <Problem code={setKey.error.code} />}
    </Row>
  )
}

interface ServerTestProps {
  readonly method: 'settings.testSpeech' | 'settings.testLanguage'
  readonly words: Readonly<Record<'test' | 'testing' | 'ready' | 'notReady', string>>
  readonly offers: (count: number) => string
  readonly children?: (models: readonly string[]) => ReactNode
}

export function ServerTest({ method, words, offers, children }: ServerTestProps) {
  const { data, error, isPending, mutate } = useAction(method)
  const models = data?.models ?? []
  return (
    <>
      {models.length > 0 && children?.(models)}
      <div className="setting setting-test">
        <Button busy={isPending && words.testing} onPress={() => mutate({})} label={words.test} />
        <div role="status" className="setting-test-answer">
          {data?.ready && (
            <Notice tone="kept" icon={CircleCheck} title={words.ready} text={models.length > 0 && offers(models.length)} />
          )}
          {data && !data.ready && <Notice tone="needs" icon={TriangleAlert} title={words.notReady} text={data.hint} />}
          {error && <Problem code={error.code} />}
        </div>
      </div>
    </>
  )
}
