/**
 * The names of all settings and listeners that the app registers: `app.on:before-quit`, `webPreferences.sandbox`.
 * Names in AFTERWORD_STAND_IN_DROP (separated by spaces) are ignored; boolean options are inverted instead.
 * AFTERWORD_STAND_IN_SET adds options: `webPreferences.webSecurity=false`.
 */
const made = new Set<string>()
const set = new Map((process.env['AFTERWORD_STAND_IN_SET'] ?? '').split(' ').flatMap(assignment))
const dropped = new Set((process.env['AFTERWORD_STAND_IN_DROP'] ?? '').split(' ').filter(Boolean))

/** @returns false if the registration must have no effect */
export function register(name: string): boolean {
  made.add(name)
  return !dropped.has(name)
}

/** A copy of an options object without the dropped settings. */
export function registerSettings<Settings extends object>(kind: string, settings: Settings): Settings {
  const kept = Object.entries(settings).flatMap(([key, value]) => {
    if (register(`${kind}.${key}`)) return [[key, value]]
    return typeof value === 'boolean' ? [[key, !value]] : []
  })
  const added = [...set].flatMap(([name, value]) => (name.startsWith(`${kind}.`) ? [[name.slice(kind.length + 1), value]] : []))
  return Object.fromEntries([...kept, ...added]) as Settings
}

function assignment(text: string): [string, unknown][] {
  const [name, value] = text.split('=')
  return name === undefined || value === undefined ? [] : [[name, JSON.parse(value)]]
}

export function registrations(): string[] {
  return [...made].toSorted()
}
