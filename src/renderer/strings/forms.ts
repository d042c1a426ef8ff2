import { messages } from './messages.ts'

export const formWords = messages.forms
export const snippetWords = messages.forms.snippets
