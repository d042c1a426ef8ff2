import type { z } from 'zod'
import { appMethods } from './app.ts'
import { clientMethods, coverageMethods } from './clients.ts'
import { conflictMethods } from './conflicts.ts'
import { dictationMethods } from './dictations.ts'
import { figureMethods, insightMethods } from './insights.ts'
import { libraryMethods } from './library.ts'
import type { Answer, Method } from './method.ts'
import { modelMethods, voiceMethods } from './speech.ts'
import { movingMethods, offerMethods } from './moving.ts'
import { noteMethods, templateMethods } from './notes.ts'
import { recordingMethods } from './recordings.ts'
import { recoveryMethods } from './recovery.ts'
import { sampleMethods } from './sample.ts'
import { scheduleMethods } from './schedule.ts'
import { sessionMethods } from './sessions.ts'
import { settingsMethods } from './settings.ts'
import { updateMethods } from './updates.ts'

export const bridgeMethods = {
  ...appMethods,
  ...settingsMethods,
  ...clientMethods,
  ...conflictMethods,
  ...sessionMethods,
  ...sampleMethods,
  ...scheduleMethods,
  ...recordingMethods,
  ...dictationMethods,
  ...recoveryMethods,
  ...noteMethods,
  ...insightMethods,
  ...libraryMethods,
  ...modelMethods,
  ...movingMethods,
  ...templateMethods,
  ...voiceMethods,
  ...figureMethods,
  ...coverageMethods,
  ...offerMethods,
  ...updateMethods,
} as const satisfies Record<string, Method>

export type MethodName = keyof typeof bridgeMethods
export type MethodInput<Name extends MethodName> = z.input<(typeof bridgeMethods)[Name]['input']>
export type MethodRequest<Name extends MethodName> = z.output<(typeof bridgeMethods)[Name]['input']>
export type MethodOutput<Name extends MethodName> = z.output<(typeof bridgeMethods)[Name]['output']>

export type Handlers<Name extends MethodName = MethodName> = {
  readonly [Key in Name]: (input: MethodRequest<Key>) => MethodOutput<Key> | Promise<MethodOutput<Key>>
}

export interface Bridge {
  call<Name extends MethodName>(name: Name, input: MethodInput<Name>): Promise<Answer<MethodOutput<Name>>>
  on(listener: (name: string, payload: unknown) => void): () => void
  onConnection(listener: (connected: boolean) => void): () => void
}
