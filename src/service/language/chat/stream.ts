import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Output, streamText } from 'ai'
import type { Question, Told } from '../writer/text-model.ts'
import type { Manners } from './manners.ts'

// It would write to the console what a server does not support.
;(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false

export interface Target {
  readonly address: string
  readonly model: string
  readonly key: string | null
  readonly fetch: typeof fetch
}

/** Enough that the same session gives about the same draft. */
const sampling = { temperature: 0.1, seed: 7 } as const
/** Letters of an answer between two looks at how far it is. */
const look = 60

/** One call. Whatever goes wrong is thrown as the SDK has it, to be read by readFailure and not to go further. */
export async function streamOnce(
  target: Target,
  { instructions, prompt, form, most_tokens }: Question,
  manners: Manners,
  signal: AbortSignal,
  onText: (soFar: string) => void,
): Promise<Told> {
  const provider = createOpenAICompatible({
    name: 'server',
    baseURL: target.address,
    ...(target.key === null ? {} : { apiKey: target.key }),
    fetch: target.fetch,
    includeUsage: manners.usage,
    supportsStructuredOutputs: manners.format === 'schema',
  })
  const { stream } = streamText({
    model: provider.chatModel(target.model),
    instructions,
    prompt,
    output: outputOf(manners, form),
    ...(manners.sampling ? sampling : {}),
    ...(manners.limit ? { maxOutputTokens: most_tokens } : {}),
    maxRetries: 0,
    abortSignal: signal,
    // The SDK's own would print the error, and the question with it.
    onError: () => {},
  })
  let text = ''
  let seen = 0
  for await (const part of stream) {
    if (part.type === 'text-delta') {
      text += part.text
      if (text.length - seen >= look) {
        seen = text.length
        onText(text)
      }
    } else if (part.type === 'error') throw part.error
    else if (part.type === 'finish') {
      if (part.finishReason === 'content-filter') return { kind: 'refused' }
      const { inputTokens } = part.totalUsage
      return { kind: 'text', text, is_cut: part.finishReason === 'length', read_tokens: inputTokens ?? null }
    }
  }
  signal.throwIfAborted()
  throw new Error('the answer broke off')
}

function outputOf({ format }: Manners, form: Question['form']) {
  switch (format) {
    case 'schema':
      return Output.object({ schema: form, name: 'note' })
    case 'object':
      return Output.json()
    case 'text':
      return Output.text()
  }
}
