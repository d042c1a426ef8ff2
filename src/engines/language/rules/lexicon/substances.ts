export interface SubstanceKind {
  readonly topic: string
  readonly pattern: RegExp
}

export const substanceKinds: readonly SubstanceKind[] = [
  {
    topic: 'alcohol',
    pattern:
      /\b(?:alcohol\w*|beers?\b|wine|whisk(?:e)?y|vodka|gin\b(?! and bear)|rum\b|liquor|lager|cider|pints?\b|cans\b|drunk\b|sober|hung ?over|hangover|binge drink\w*|drink(?:ing|s)?\b(?! (?:water|coffee|tea|milk|enough|more water|juice|plenty))|drank\b(?! (?:water|coffee|tea))|a drink\b|dry (?:day|days|evening|night|week|month|january|from|ones)|bottles? of (?:wine|red|white)|units\b)/i,
  },
  {
    topic: 'cannabis',
    pattern:
      /\b(?:weed|cannabis|marijuana|joints?\b(?! (?:pain|account|custody|decision|session))|edibles|thc|smok(?:es|ed|ing|e) (?:the |some |a bit of )*(?:weed|pot|hash)|stoned)\b/i,
  },
  {
    topic: 'tobacco',
    pattern: /\b(?:cigarettes?|nicotine|vap(?:e|es|ed|ing)|tobacco|smok(?:e|es|ing|ed)\b|a pack a day|fags)\b/i,
  },
  {
    topic: 'other drugs',
    pattern:
      /\b(?:cocaine|coke\b(?! (?:zero|and|can))|heroin|opioids?|opiates?|meth\b|amphetamines?|ecstasy|mdma|lsd|mushrooms\b|ketamine|recreational|street drugs?|drugs\b|using again|got high|getting high|cravings?|relaps\w*)\b/i,
  },
  { topic: 'gambling', pattern: /\b(?:gambl\w*|betting|bets\b|casino|slot machines?|scratch ?cards?)\b/i },
]

export function substanceTopic(text: string): string | null {
  return substanceKinds.find(({ pattern }) => pattern.test(text))?.topic ?? null
}

/** Asking what happens to the body without it, and where it endangers. */
export const withdrawalWords =
  /\b(?:withdrawal|shak(?:es|ing|y)|sweat(?:s|ing)|tremors?|seizures?|fits\b|blackouts?|blacked out|driv(?:e|es|ing) (?:after|drunk|home after)|drove (?:drunk|home drunk|after))\b/i
