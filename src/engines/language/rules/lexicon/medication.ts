const generic =
  'escitalopram citalopram sertraline fluoxetine paroxetine fluvoxamine venlafaxine desvenlafaxine duloxetine milnacipran mirtazapine bupropion trazodone nefazodone vortioxetine vilazodone amitriptyline nortriptyline imipramine clomipramine doxepin dosulepin lofepramine trimipramine desipramine phenelzine tranylcypromine moclobemide selegiline agomelatine esketamine ketamine ' +
  'lithium lamotrigine valproate carbamazepine oxcarbazepine topiramate gabapentin pregabalin quetiapine olanzapine risperidone paliperidone aripiprazole brexpiprazole cariprazine lurasidone ziprasidone asenapine clozapine haloperidol chlorpromazine amisulpride ' +
  'diazepam lorazepam alprazolam clonazepam temazepam oxazepam chlordiazepoxide buspirone hydroxyzine propranolol prazosin clonidine guanfacine zolpidem zopiclone eszopiclone melatonin ramelteon suvorexant promethazine ' +
  'methylphenidate dexamfetamine lisdexamfetamine amphetamine atomoxetine modafinil naltrexone acamprosate disulfiram nalmefene buprenorphine methadone varenicline donepezil memantine levothyroxine metformin insulin ibuprofen paracetamol acetaminophen aspirin omeprazole lisinopril atorvastatin prednisone amoxicillin ' +
  'amlodipine ramipril losartan candesartan bisoprolol atenolol metoprolol furosemide simvastatin rosuvastatin warfarin apixaban rivaroxaban clopidogrel lansoprazole pantoprazole salbutamol albuterol ' +
  'montelukast codeine tramadol morphine oxycodone dihydrocodeine naproxen diclofenac cetirizine loratadine estradiol testosterone finasteride sildenafil tamsulosin gliclazide semaglutide sitagliptin methotrexate sumatriptan prochlorperazine budesonide carbimazole'
const brands =
  'lexapro cipralex celexa zoloft lustral prozac paxil seroxat effexor pristiq cymbalta remeron wellbutrin zyban desyrel trintellix brintellix lamictal depakote tegretol topamax neurontin lyrica seroquel zyprexa risperdal abilify rexulti latuda geodon clozaril haldol valium ativan xanax klonopin rivotril librium buspar vistaril atarax inderal minipress catapres intuniv ambien lunesta sonata ritalin concerta adderall vyvanse elvanse strattera provigil antabuse campral vivitrol suboxone subutex chantix champix aricept synthroid tylenol advil nurofen'

const names = `${generic} ${brands}`.split(' ')
const endings = 'sartan|statin|prazole|dipine|azepam|oxetine|triptyline|gliptin|cillin|mycin|triptan|thiazide|floxacin|lukast'
const named = new Set(names)
const ending = new RegExp(`^\\w{3,}(?:${endings})$`, 'i')

/** For use inside longer patterns. Alone, `drugIn` is about 100 times faster. */
export const drugName = new RegExp(`\\b(?:${names.join('|')}|\\w{3,}(?:${endings}))\\b`, 'i')

export const medicationWords =
  /\b(?:medications?|medicines?|meds\b|dose[sd]?\b|dosage|milligram\w*|\d+ ?mg\b|mg\b|tablets?\b(?! computer)|pills?\b|prescri\w*|refills?|side[- ]effects?|antidepress\w*|ssris?\b|mood stabili\w*|benzodiazepine\w*|benzos?|stimulants?|antipsychotic\w*|sleeping (?:pill|tablet)s?|inhaler|ran out of|allerg\w*|beta[- ]?blockers?|on (?:the|a) (?:higher|lower) dose|came off (?:it|them)|stopped taking|started taking|taper\w*)\b/i

/** Changes of medication are always quoted verbatim. */
export const medicationChange =
  /\b(?:increas\w*|decreas\w*|put (?:it|me|them|you) (?:up|down|on)|went (?:up|down)|raised|lowered|stopp?\w*|start\w*|taper\w*|switch\w*|doubl\w*|halv\w*|missed|skip\w*|came off|ran out|restart\w*)\b/i

export function mentionsMedication(text: string): boolean {
  return drugIn(text) !== null || medicationWords.test(text)
}

export function drugIn(text: string): string | null {
  return (text.match(/\w{4,}/g) ?? []).find(isDrug) ?? null
}

function isDrug(word: string): boolean {
  return named.has(word.toLowerCase()) || ending.test(word)
}

interface SubstanceKind {
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

export const withdrawalWords =
  /\b(?:withdrawal|shak(?:es|ing|y)|sweat(?:s|ing)|tremors?|seizures?|fits\b|blackouts?|blacked out|driv(?:e|es|ing) (?:after|drunk|home after)|drove (?:drunk|home drunk|after))\b/i
