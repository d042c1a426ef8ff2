import { useSyncExternalStore } from 'react'

export const sessionTabs = ['record', 'transcript', 'note', 'insights', 'consent'] as const
export type SessionTab = (typeof sessionTabs)[number]

export const clientTabs = ['overview', 'brief', 'sessions', 'consent', 'coverage', 'details'] as const
export type ClientTab = (typeof clientTabs)[number]

export const settingsSections = ['account', 'recording', 'notes', 'schedule', 'practice', 'appearance', 'advanced'] as const
export type SettingsSection = (typeof settingsSections)[number]

export type Route =
  | { readonly page: 'today' | 'calendar' | 'reports' | 'sync' }
  | { readonly page: 'settings'; readonly section: SettingsSection | null; readonly setting: string | null }
  | { readonly page: 'clients'; readonly client_id: string | null; readonly isAdding: boolean; readonly tab: ClientTab }
  | { readonly page: 'session'; readonly id: string; readonly tab: SessionTab; readonly place: string | null }
  | { readonly page: 'conflict'; readonly id: string }

/** Routes contain ids but no names, because they stay in the window's history. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?')
  const [page, id = '', tab] = path.split('/').map(decodeURIComponent)
  if (page === 'clients') {
    const known = clientTabs.find((candidate) => candidate === tab)
    return { page, client_id: id === '' ? null : id, isAdding: query === 'new', tab: known ?? 'overview' }
  }
  if (page === 'sessions' && id !== '') {
    const known = sessionTabs.find((candidate) => candidate === tab)
    const params = new URLSearchParams(query)
    return { page: 'session', id, tab: known ?? 'record', place: params.get('segment') ?? params.get('statement') }
  }
  if (page === 'conflicts' && id !== '') return { page: 'conflict', id }
  if (page === 'settings') {
    const section = settingsSections.find((candidate) => candidate === id) ?? null
    return { page, section, setting: new URLSearchParams(query).get('setting') }
  }
  if (page === 'calendar' || page === 'reports' || page === 'sync') return { page }
  return { page: 'today' }
}

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

export const useRoute = (): Route => parseRoute(useSyncExternalStore(subscribe, () => window.location.hash))

let outside = '/today'

/** Where Back leads from a session: the last page outside of sessions. */
export const pageBefore = (): string => outside

export function rememberPage(route: Route): void {
  if (route.page !== 'session') outside = window.location.hash.slice(1) || '/today'
}

/** The page of the navigation that a page belongs to. */
export function mainPageOf(route: Route): Exclude<Route['page'], 'session' | 'conflict'> {
  if (route.page === 'session') return mainPageOf(parseRoute(outside))
  return route.page === 'conflict' ? 'sync' : route.page
}

export function navigate(path: string): void {
  window.location.hash = path
}

export function replaceRoute(path: string): void {
  window.history.replaceState(window.history.state, '', `#${path}`)
  window.dispatchEvent(new HashChangeEvent('hashchange'))
}

/** `setting` is the visible label of the setting to show. */
export const settingsPath = (section: SettingsSection, setting?: string): string =>
  `/settings/${section}${setting === undefined ? '' : `?setting=${encodeURIComponent(setting)}`}`

export const conflictPath = (id: string): string => `/conflicts/${id}`

export const clientPath = (id: string, tab: ClientTab = 'overview'): string =>
  `/clients/${id}${tab === 'overview' ? '' : `/${tab}`}`

/** `place` is the id of a segment of the transcript, or of a statement of the note. */
export const sessionPath = (id: string, tab: SessionTab = 'record', place?: string): string =>
  `/sessions/${id}/${tab}${place === undefined ? '' : `?${tab === 'note' ? 'statement' : 'segment'}=${encodeURIComponent(place)}`}`
