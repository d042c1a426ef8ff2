import { AppError } from '#contract/errors.ts'
import type { EngineGone } from './listening.ts'
import type { ModelUse } from './messages.ts'

const names: Readonly<Record<ModelUse, string>> = {
  words: 'The speech model',
  'speech-detection': 'The model that finds where somebody speaks',
  'noise-reduction': 'The model that reduces noise',
  speakers: 'One of the models that tell speakers apart',
}

/** What to tell of an engine that ended by itself, again and again. */
export function engineError({ loading }: EngineGone): AppError {
  return loading === null
    ? new AppError(
        'engine-failed',
        'The speech engine stopped in the middle of its work several times. A smaller speech model needs less memory.',
      )
    : new AppError(
        'model-damaged',
        `${names[loading]} could not be loaded: its file is damaged, is of another kind, or needs more memory than there is. Remove it and install it again, or choose a smaller one.`,
      )
}
