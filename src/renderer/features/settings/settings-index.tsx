import { Building2, CalendarDays, FileText, Mic, Search, Shield, SlidersHorizontal, SunMoon } from 'lucide-react'
import { useState } from 'react'
import { Input, SearchField } from 'react-aria-components'
import { navigate, settingsPath, settingsSections, type SettingsSection } from '#renderer/lib/routes.ts'
import { foundIn } from '#renderer/lib/text.ts'
import { settingsStrings } from '#renderer/strings/settings.ts'
import { searchableSettings } from './searchable-settings.ts'

const icons = {
  account: Shield,
  recording: Mic,
  notes: FileText,
  schedule: CalendarDays,
  practice: Building2,
  appearance: SunMoon,
  advanced: SlidersHorizontal,
}

export function SettingsIndex({ section }: { readonly section: SettingsSection }) {
  const [typed, setTyped] = useState('')
  const { title, sections, search, found, nothingFound } = settingsStrings
  const hits = typed.trim() === '' ? null : searchableSettings.filter(({ label, also }) => foundIn(typed, label, ...also))
  const open = (path: string): void => {
    navigate(path)
    setTyped('')
  }
  return (
    <nav className="settings-index" aria-label={title} data-region>
      <p className="settings-index-title">{title}</p>
      <SearchField
        className="settings-search"
        aria-label={search}
        value={typed}
        onChange={setTyped}
        onSubmit={() => hits?.[0] && open(settingsPath(hits[0].section, hits[0].label))}
      >
        <Search aria-hidden />
        <Input autoComplete="off" className="ui-field-input" placeholder={search} maxLength={100} />
      </SearchField>
      <p className={hits?.length === 0 ? 'settings-index-none' : 'visually-hidden'} role="status">
        {hits !== null && (hits.length === 0 ? nothingFound : found({ count: hits.length }))}
      </p>
      <ul>
        {hits?.map(({ section: place, label }) => (
          <li key={`${place} ${label}`}>
            <a className="settings-link settings-hit" href={`#${settingsPath(place, label)}`} onClick={() => setTyped('')}>
              <span>{label}</span> <span className="caption">{sections[place]}</span>
            </a>
          </li>
        ))}
        {hits === null &&
          settingsSections.map((each) => {
            const Icon = icons[each]
            return (
              <li key={each}>
                <a className="settings-link" href={`#${settingsPath(each)}`} aria-current={each === section ? 'page' : undefined}>
                  <Icon aria-hidden />
                  <span>{sections[each]}</span>
                </a>
              </li>
            )
          })}
      </ul>
    </nav>
  )
}
