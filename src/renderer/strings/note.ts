import { messages } from './messages.ts'

export const noteWords = messages.note
