import { errorKind } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { analyse } from '#engines/analysis/analyse.ts'
import { listenToStarter, stepBack, tellStarter } from '#engines/engine-side.ts'
import type { LanguagePort, TextModel, Told } from '#engines/language/port.ts'
import { rulesLanguage } from '#engines/language/rules/engine.ts'
import { modelLanguage } from '#engines/language/writer/model-language.ts'
import type { FromEngine, TextResult, ToEngine, TextWork } from './text-work.ts'
import { writeAnalysis, writeDataDraft, writeDraft } from './text-work.ts'

let asked: { readonly onPiece: (piece: string) => void; readonly settle: (told: Told) => void } | null = null

const report = (message: FromEngine): void => tellStarter(message)

async function carryOut(work: TextWork, writer: LanguagePort): Promise<TextResult> {
  // This signal is never aborted: to cancel, the parent process kills this process.
  const { signal } = new AbortController()
  if (work.kind === 'draft') return writeDraft(work, writer, signal, (share) => report({ kind: 'share', share }))
  return work.kind === 'analyze' ? writeAnalysis(work, { analyse }, signal) : writeDataDraft(work, writer)
}

function writerOf(model: Pick<TextModel, 'engine' | 'context_tokens'> | null): LanguagePort {
  if (model === null) return rulesLanguage()
  return modelLanguage({
    ...model,
    tell: (question, _signal, onPiece) => {
      const { promise, resolve } = Promise.withResolvers<Told>()
      asked = { onPiece, settle: resolve }
      report({ kind: 'ask', question })
      return promise
    },
  })
}

function failureOf(error: unknown): FromEngine {
  const known = error instanceof AppError ? { code: error.code, detail: error.detail } : { code: null, detail: undefined }
  return { kind: 'failed', ...known, error: errorKind(error) }
}

stepBack()
listenToStarter((received) => {
  const message = received as ToEngine
  if (message.kind === 'piece') asked?.onPiece(message.piece)
  else if (message.kind === 'told') asked?.settle(message.told)
  else
    void carryOut(message.work, writerOf(message.model)).then(
      (result) => report({ kind: 'done', result }),
      (error: unknown) => report(failureOf(error)),
    )
})
