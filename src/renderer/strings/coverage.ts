import { messages } from './messages.ts'

export const { coverage: coverageStrings, authorisations: authorisationStrings } = messages
