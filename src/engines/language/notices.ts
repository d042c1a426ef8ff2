import type { NoteCheck } from '#contract/model/note.ts'
import notices from './notices.json' with { type: 'json' }

interface Notice {
  /** Defaults to the name of the notice. Several notices can share a code. */
  readonly code?: string
  readonly severity: string
  readonly message: string
  readonly one?: string
}

const catalog: Readonly<Record<keyof typeof notices, Notice>> = notices

type Noted = readonly [name: keyof typeof notices, isSo: boolean | number, values?: Readonly<Record<string, string>>]

export const noticesOf = (noted: readonly Noted[]): NoteCheck[] =>
  noted.flatMap(([name, isSo, values = {}]) => {
    if (isSo === false || isSo === 0) return []
    const { code = name, severity, message, one = message } = catalog[name]
    const text = isSo === 1 ? one : message
    return [
      {
        code,
        severity: severity as NoteCheck['severity'],
        message: text.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? String(isSo)),
      },
    ]
  })
