import type { Handlers } from '#contract/bridge/methods.ts'
import type { UpdateState } from '#contract/bridge/updates.ts'
import { AppError } from '#contract/errors.ts'

const state: UpdateState = {
  delivery: 'preview',
  phase: 'idle',
  offered: null,
  progress: null,
  failure: null,
  obstacle: null,
  checked_at: null,
}

const refuse = (): never => {
  throw new AppError('not-offered')
}

/** For the preview. The desktop app's main process answers these calls itself and never forwards them. */
export const updateHandlers: Handlers<'updates.state' | 'updates.check' | 'updates.download' | 'updates.install'> = {
  'updates.state': () => state,
  'updates.check': refuse,
  'updates.download': refuse,
  'updates.install': refuse,
}
