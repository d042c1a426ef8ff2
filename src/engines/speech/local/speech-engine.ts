/**
 * The speech engine's process. A damaged model or too little memory ends it and nothing else. It is given paths of
 * models and sound, and knows no records and no keys.
 */
import { listenToStarter, stepBack, tellStarter } from '#engines/engine-side.ts'
import { createDiarizer } from '../speakers/diarizer.ts'
import { createSpeechEngine } from './engine.ts'
import type { FromEngine } from './messages.ts'
import { toEngineSchema } from './messages.ts'

const tell = (message: FromEngine): void => tellStarter(message)

stepBack()
const take = createSpeechEngine(tell, createDiarizer)
let last: Promise<void> = Promise.resolve()
listenToStarter((message) => {
  last = last
    .then(() => take(toEngineSchema.parse(message)))
    // Whoever started this process ends it then.
    .catch(() => tell({ kind: 'failed', model: null }))
})
