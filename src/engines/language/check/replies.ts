import type { Reply } from './types.ts'
import { plain } from './words.ts'

const lead = /^(?:(?:um+|uh+|er+m?|oh|ah|well|god|gosh|so|like|hm+|i mean|you know|look|honestly|to be honest)[\s,.!…-]+)+/i
const hedges =
  /^(?:not (?!at all|me\b|once|the\b)(?:\w+[.,!]|really|any ?more|lately|recently|always|every\b|exactly|sure|so much|that much|yet|often|usually|now\b)|i (?:do not|don't|dont) (?:think so|know|remember)|i'm not sure|im not sure|maybe|perhaps|possibly|probably|sort of|kind of|sometimes|a (?:little|bit)|i guess|i suppose|suppose so|hm+|i might|i could try|i'll (?:think|try|see)|ill (?:think|try|see)|i will think|we'll see|(?:i|it|we) used to\b|not since|in the past|back (?:then|in)|years ago|it depends|depends|hardly|barely|rarely|now and (?:then|again)|occasionally|on and off|in a way|i think so|i'd have to think)\b/i
const no =
  /^(?:(?:and )?i said (?:no|not)|no|nope|nah|never|none|nobody|nothing|not at all|not me|not once|certainly not|absolutely not|definitely not|of course not|not the\b|neither|i (?:do not|don't|dont|have not|haven't|havent|did not|didn't|didnt|would not|wouldn't|wouldnt|am not|was not|wasn't|can not|can't|cant|won't|wont)|i'm not|im not|i've never|ive never|i never|that's not for me|we (?:don't|haven't|didn't)|it (?:isn't|is not|hasn't|wasn't))\b/i
const yes =
  /^(?:yes|yeah|yep|yup|aye|i do|i have|i am|i did|i can|i could|i will|i'll|ill|i would|i'd|exactly|that's (?:it|right|true|exactly|what)|thats (?:it|right|true|exactly|what)|it (?:is|does|was|has)|sure|okay|ok|of course|definitely|absolutely|fine|deal|got it|right|mm-? ?hm+|mm|uh-?huh|please|correct|true|agreed|all right|alright|go on then|we do|we can|we will|we'll)\b/i
const notThisNo = /^no(?:,| )+(?:i know|problem|that's (?:fine|okay|right|good)|worries|it's fine|you're right|go on)\b/i
const turned =
  /^no(?:pe)?[\s,.]+(?:but|except|only|well|not (?:really|lately|recently|any ?more|always)|just|i mean)\b|^no(?:pe)?\b[^.?!]*\b(?:but (?:sometimes|i (?:have|did|do)|once)|except|apart from|although|only when|though i)\b|^no[.!,]\s*(?:well|i mean|sometimes|maybe|once|only)\b/i

/** "I hate that. But, yeah. Okay." */
const yesInTheEnd = /[.!?] (?:but,? )?(?:yes|yeah|okay|ok|fine|all right|alright|go on then)(?:,? (?:okay|ok|fine))?[.!](?:\s|$)/i

/** How a question, or something put to a person, was answered. Only a plain no is a no. */
export function replyKind(text: string): Reply {
  const said = plain(text)
    .trim()
    .replace(/^\[[^\]]*\]\s*/, '')
  const body = said.replace(lead, '')
  if (/^no\b[^.?!]*[.!]\s+(?:well,? )?i (?:sometimes|do\b|have\b|might|did\b|used to|mean)/i.test(body)) return 'hedged'
  if (/^(?:yeah|yes|yep)[\s,]+(?:no|nah)\b/i.test(body) || notThisNo.test(body)) return 'other'
  if (/^(?:yeah|yes|ok|okay)[\s,.]+(?:maybe|perhaps|sort of|kind of|i guess|i suppose|a bit|a little|sometimes)\b/i.test(body))
    return 'hedged'
  if (/^hm+\b/i.test(said) || hedges.test(body) || turned.test(body)) return 'hedged'
  if (
    /^(?:i can|i could|i'll|i will|yes|yeah|okay|ok|fine|sure)\b.*\b(?:maybe|perhaps|have to think|don't know if|not sure (?:if|that|i)|might not|if i (?:manage|can))\b/is.test(
      body,
    )
  )
    return 'hedged'
  if (/\b(?:i|he|she|they|s?he)(?:'?ll| will) think about it\b/i.test(body)) return 'hedged'
  if (
    !yes.test(body) &&
    !no.test(body) &&
    /[.!]\s+(?:i'm not (?:going|doing|ready)|i am not (?:going|doing)|i won't|i don't want|that's not for me|never again)\b/i.test(
      body,
    )
  )
    return 'hedged'
  const turn = yesInTheEnd.exec(body)
  if (turn && !/\b(?:no|not|never)\b|n't\b/i.test(body.slice(0, turn.index))) return 'yes'
  if (no.test(body)) return 'no'
  if (yes.test(body)) return 'yes'
  return 'other'
}
