import texts from './quick-start.json' with { type: 'json' }
import type { OperationId } from './routes.ts'

export const quickStart = texts.quickStart.join('\n')

export const descriptions: Partial<Record<OperationId, string>> = Object.fromEntries(
  Object.entries(texts.operations).map(([id, lines]) => [id, lines.join('\n')]),
)
