import { AppError } from '#contract/errors.ts'
import type { AnalysisBody } from '#contract/model/analysis.ts'
import type { NoteBody } from '#contract/model/note.ts'
import { analyse } from '#engines/analysis/analyse.ts'
import type { EngineHost } from '#engines/engine-host.ts'
import type { LanguagePort, TextModel } from '#engines/language/port.ts'
import { rulesLanguage } from '#engines/language/rules/engine.ts'
import { modelLanguage } from '#engines/language/writer/model-language.ts'
import { openTextEngines, type TextLimits, type TextPorts, usualTextLimits } from './text-engines.ts'
import { sizeOf, writeAnalysis, writeDataDraft, writeDraft } from './text-work.ts'
import type { Analysing, AnalysisWork, DataWork, DraftWork, TextWork } from './text-work.ts'

export interface Texts {
  draft(practice: string, work: DraftWork, model: TextModel | null, ports: Omit<TextPorts, 'model'>): Promise<NoteBody>
  analyse(practice: string, work: AnalysisWork, signal: AbortSignal): Promise<AnalysisBody>
  draftFromData(asker: { practice_id: string; person_id: string }, work: DataWork, signal: AbortSignal): Promise<NoteBody>
  close(): void
}

export interface TextParts {
  readonly host: EngineHost
  readonly limits?: Partial<TextLimits> | undefined
  readonly writer?: LanguagePort | undefined
  readonly analyse?: Analysing['analyse'] | undefined
}

/** In characters. A text this short takes at most about 20 ms, less than handing it to another process. */
const SHORT_TEXT = 4000
const MAX_WAITING = 8
const RETRY_SECONDS = 5

export function openTexts({ host, limits, writer, analyse: reader }: TextParts): Texts {
  const engines = openTextEngines(host, { ...usualTextLimits, ...limits })
  const rules = writer ?? rulesLanguage()
  const waiting = new Map<string, number>()
  const isShort = (work: TextWork): boolean => sizeOf(work) <= SHORT_TEXT
  const silent = { model: null, onShare: () => {} }

  return {
    draft: async (practice, work, model, ports) => {
      if (writer === undefined && !isShort(work)) return (await engines.run(practice, work, { ...ports, model })) as NoteBody
      return writeDraft(work, writer === undefined && model !== null ? modelLanguage(model) : rules, ports.signal, ports.onShare)
    },
    analyse: async (practice, work, signal) => {
      if (reader === undefined && !isShort(work))
        return (await engines.run(practice, work, { ...silent, signal })) as AnalysisBody
      return writeAnalysis(work, { analyse: reader ?? analyse }, signal)
    },
    draftFromData: async ({ practice_id, person_id }, work, signal) => {
      if (writer !== undefined || isShort(work)) return writeDataDraft(work, rules)
      const before = waiting.get(person_id) ?? 0
      if (before >= MAX_WAITING) throw new AppError('too-many-operations', undefined, [], { retrySeconds: RETRY_SECONDS })
      waiting.set(person_id, before + 1)
      try {
        return (await engines.run(practice_id, work, { ...silent, signal })) as NoteBody
      } finally {
        const left = (waiting.get(person_id) ?? 1) - 1
        if (left === 0) waiting.delete(person_id)
        else waiting.set(person_id, left)
      }
    },
    close: engines.close,
  }
}
