/** As OpenAI's Whisper names the languages it hears. One it does not know would end the engine's process. */
const known = new Set(
  (
    'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it ja jw ka kk km ' +
    'kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk ' +
    'tl tr tt uk ur uz vi yi yo zh'
  ).split(' '),
)
/** Where a tag (BCP 47) and Whisper differ. */
const others: Readonly<Record<string, string>> = { nb: 'no', fil: 'tl', jv: 'jw', iw: 'he', cmn: 'zh' }

/** Empty where it shall tell by itself which language it hears. */
export function whisperLanguage(tag: string | null): string {
  const plain = tag?.split('-')[0]?.toLowerCase() ?? ''
  const named = others[plain] ?? plain
  return known.has(named) ? named : ''
}
