import { circumstances } from './do-circumstances.ts'
import { conflictDoings } from './do-conflicts.ts'
import { documentDoings } from './do-documents.ts'
import { practiceDoings } from './do-erasures.ts'
import { recordDoings } from './do-records.ts'
import { soundDoings } from './do-sound.ts'
import type { Doing } from './steps.ts'
import type { Act } from './world.ts'

/** What a person does at a laptop. */
export const personDoings = { ...recordDoings, ...documentDoings, ...conflictDoings, ...soundDoings }
/** What happens whether or not somebody is at the laptop. */
export const elsewhere = { ...circumstances, ...practiceDoings }
export const doings: Record<Doing, (act: Act) => Promise<void>> = { ...personDoings, ...elsewhere }
