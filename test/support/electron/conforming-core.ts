/** Preloaded into the built app: answers the bridge's conformance suite in place of the core. */
import { answering } from '../bridge-answers.ts'

Object.assign(globalThis, { afterwordAnswer: answering })
