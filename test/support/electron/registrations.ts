/**
 * The names of all settings and listeners that the app registers: `app.on:before-quit`, `webPreferences.sandbox`.
 * Names in AFTERWORD_STAND_IN_DROP (separated by spaces) are ignored; boolean options are inverted instead.
 */
const made = new Set<string>()
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
  return Object.fromEntries(kept) as Settings
}

export function registrations(): string[] {
  return [...made].toSorted()
}
