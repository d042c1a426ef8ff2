import { messages } from './messages.ts'

export const { settings: settingsStrings, access: accessStrings, voice: voiceStrings } = messages
