import type { Behaviour } from '#contract/model/analysis.ts'
import { echoOf } from './act.ts'
import type { Act } from './act.ts'

const open =
  /\b(?:what(?!(?:'s| is| was| are)? (?:the date|time|day|your (?:name|age|number|address)))|how(?! (?:many|much|long|often|old|far|big|soon|frequently|recently)\b)|why|tell me|describe|walk me through|in what way|say (?:a bit |some )?more|talk (?:to )?me (?:through|about)|help me understand)\b/i
const bothSides =
  /\bon (?:the )?one hand\b|\bpart of you\b|\band (?:yet|at the same time)\b|\bat the same time\b|, (?:and|but) (?:you|it|that)(?:'re|'s)? also\b|\btorn\b/i

/** Asks for more than a yes, a no or a fact. */
export function questionKind(text: string): Behaviour {
  return open.test(text.replaceAll('’', "'")) ? 'open_question' : 'closed_question'
}

/** Says back what was said, or adds meaning, a feeling named or the other side of it. */
export function reflectionKind(text: string, previous: string | null): Behaviour {
  if (previous === null || bothSides.test(text)) return 'complex_reflection'
  return echoOf(text, previous) >= 0.5 ? 'simple_reflection' : 'complex_reflection'
}

export function behaviourOf(act: Act, text: string, previous: string | null): Behaviour {
  if (act === 'question') return questionKind(text)
  return act === 'reflection' ? reflectionKind(text, previous) : act
}
