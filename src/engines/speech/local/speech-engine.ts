/** This program runs in a separate process, so that a damaged model or a lack of memory ends only this process. */
import { listenToStarter, stepBack, tellStarter } from '#engines/engine-side.ts'
import { createDiarizer } from '../speakers/diarizer.ts'
import { createSpeechEngine } from './engine.ts'
import { type FromEngine, toEngineSchema } from './messages.ts'

const tell = (message: FromEngine): void => tellStarter(message)

stepBack()
const take = createSpeechEngine(tell, createDiarizer)
let last: Promise<void> = Promise.resolve()
listenToStarter((message) => {
  last = last.then(() => take(toEngineSchema.parse(message))).catch(() => tell({ kind: 'failed', model: null }))
})
