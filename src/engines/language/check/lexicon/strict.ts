/** Words that name a thing which is either said or not: written without being said, they are somebody's invention. */
const classes: Readonly<Record<string, string>> = {
  relation:
    'mother mum mom mam father dad parents brother sister sibling son daughter husband wife partner boyfriend girlfriend fiance fiancee grandmother grandfather nan gran grandma grandad grandchildren grandson granddaughter uncle aunt cousin nephew niece stepfather stepmother stepson ex',
  diagnosis:
    'depression depressive bipolar schizophrenia psychosis psychotic ptsd ocd adhd autism autistic anorexia bulimia dementia borderline narcissistic disorder dependence addiction alcoholism addict alcoholic agoraphobia insomnia mania manic hypomania dissociation phobia neurosis cirrhosis diabetes cancer epilepsy asthma',
  risk: 'suicide suicidal overdose self-harm homicidal hanging jump jumped stab stabbed gun firearm rifle knife weapon noose violence violent assault assaulted abuse abused abusive rape raped threaten threatened threatens threat strangled choked strike hit punched slapped beaten beat kicked arrested police prison court intends',
  place:
    'hospital clinic emergency ward prison church mosque temple cemetery school university college kitchen bathroom bedroom garden stairs staircase garage shed pub bar supermarket station airport beach coast park gym library office factory canada',
  substance:
    'cocaine heroin cannabis weed marijuana opioid opioids opiates methamphetamine ecstasy mdma ketamine vodka whisky whiskey gin rum wine beer cider nicotine cigarettes vaping vape gambling',
  symptom:
    'hallucinations hallucination delusions delusion paranoia paranoid voices nightmares nightmare flashbacks flashback hopeless hopelessness worthless worthlessness dizzy dizziness nausea vomiting headaches headache palpitations tremor seizures seizure fainting blackouts binge bingeing purging',
  life: 'divorce divorced divorcing bullied bullying bully pregnant pregnancy miscarriage abortion redundant redundancy dismissed fired sacked promoted promotion bankrupt debt evicted homeless engaged wedding affair custody adopted surgery operation accident lawsuit inheritance',
}

const kinds = new Map<string, string>(
  Object.entries(classes).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)),
)

export function strictKind(word: string): string | null {
  return kinds.get(word) ?? kinds.get(word.replace(/s$/, '')) ?? null
}
