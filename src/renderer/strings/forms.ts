import { messages } from './messages.ts'

export const formWords = messages.forms
