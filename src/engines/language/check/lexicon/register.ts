import { stemOf } from '../words.ts'

/**
 * Clinical vocabulary that summarizes or connects without new content, so it needs no source. Things, people and
 * actions do not belong here.
 */
const words =
  'accept accepted act acts acted acting briefly notice noticed notices claim claimed claims idea ideas acceptance accompany accompanied accomplish accomplished acknowledge action actions activity activities additional additionally adequate adequately adhere adherence adjust adjusted administer adopt affect affected aloud alternative alternatives ambivalence ambivalent anticipate anticipates anticipated anticipation anticipatory approach approached arrange arranged arrangement articulate aspect aspects assist assisted assistance attend attended attends attending attendance attribute avoid avoids avoided avoiding avoidance avoidant ' +
  'baseline beforehand behavioural benefit benefits beneficial beneath burden burdened burdensome capable capacity challenge challenged challenges challenging characterise characterised check-in clarify clarified collaborative collaboratively comfort comfortable commit commits committed commitment communicate communicated communication compare compared comparison competing complete completed completes completing compound comply conclude concluded condition conduct conducted confidence confident confidentiality conflict conflicted confront consent consequence consequences consider considers considered considering consistent consistently content contrast contribute contributes contributed contributing conviction consequently coping correct corrected corrects creative currently cycle ' +
  'decline declining decrease delay demand demands demonstrate demonstrated depend dependent despair destructive develop developed differ difference differently diminish disappointed disappointment discomfort discontinued disrupt disrupted distress distressed distressing distract distracted distraction distractions disturbance disturbed duration dynamic effectively effort efforts element elicit eliminate emerge emerged emphasise emphasised employ enable encounter encountered encourage encouraged encouragement encourages entirely establish established evaluate exhibit exist existing explicit exposure exposures extend extended external facilitate factor factors fail feedback finding fixed focus focused frame framed freely frequency fulfil function functioning further ' +
  'gradual gradually guidance guilty handling heighten heightened helpful hesitancy hesitant highlight highlighted highlights identical imagine immediate immediately impaired implement implemented imply importance improve inability inactive individual inform informed initial initiate initiated input insight inspire instruct integrate intense intensity interact interaction interactions interfere interfering internal interpersonal interpret interpretation interrupt interrupted interruption involve involved involves involving irritability jointly justify lessen limit limited limits limitation limitations maintain maintained maintains maintaining maintenance major management marked meaning means measure measured method methods minimal minimise minor modify momentary momentarily motivate motivated motivation move mutual mutually ' +
  'naming narrative necessary negative negatively nonetheless normalise normalised objective obligation obtain obvious occasion occasions occur occurred occurring occurs offer offers openly opportunity oppose option options organise organised original originally outcome outcomes outline outlined outset overcome overwhelm overwhelmed pattern patterns perceive perceived perceives perception perform period persist persistent persistently persists personal perspective pertaining phrase planned point pointed pointing portion pose position positive possibility postpone potential practice practise practised precede predict predicted predicts prediction predictions preference preferred prefer prefers prepare prepared presence pressing pressure prevent prevented prevents principal prior prioritise privacy proceed process produce progress prolonged prompt prompted prompts propose proposed proposes protect proud provide provided provides providing provoke purpose pursue ' +
  'query quality raise rapid rapidly react reacted reaction reactions realistic reassure recall recalled recalls receive received recipient reciprocal recount recounted reduce refer referred reframe reframed refuse regain regard regarded regards region rehearse rehearsed reinforce reinforced reject relate relation relationship release relevant reliance relies rely remind reminded reminds repeat replace replaced replied reply represent request requested require required requires resist resistance resolve resolved resource resources respond responded responds responsibility responsible restate restrict resume resumed retain reveal revealed revisit routine routines ' +
  'safeguard satisfied scenario scheduled secure seek seeking seeks select self-blame self-criticism self-critical sensation sensations separate sequence setback severe severity shape shared shift shifted shifts significant silent similar similarly simple simply singular skill skills solely specified spontaneous spontaneously stable stage statement status step steps strain strained strategy strategies strength stress stressed stressful stressor stressors strive struggle struggled struggles struggling style subject submit success successful successfully succeed suffer suffered sufficient suited summarise superficial superficially support supported supporting supportive supports suppose surface sustain sustained ' +
  'target technique techniques temporarily temporary tend tends tense tension term terms theme themes tolerate tolerated tool tools topic topics toward traditional transition treat treated trigger triggered triggering triggers trust type typical ultimately uncomfortable underlying understanding undertake unexpected unexpectedly unhelpful unplanned unprepared unpleasant unscripted unspecified unrelated unresolved unsuccessful unwanted upcoming upset upsetting usual utilise utilised variety verbalise verbalised verify view viewed views vary vague version voice voiced vulnerable wellbeing whenever wider withhold worsen worthwhile yield'

const stems = new Set(words.split(' ').flatMap((word) => [word, stemOf(word)]))

export function isRegister(word: string): boolean {
  return stems.has(word) || stems.has(stemOf(word))
}

/** Concrete nouns: if one is written but was never said, the statement invents it. */
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

/** Reporting and connecting words of notes, which need no source. */
const frameWords =
  'suggestion suggestions recommendation advice decision needed need needs required exhausted poor good read aloud turn instead client patient therapist clinician counsellor counselor writer session note individual participant couple family member ' +
  'report reports reported reporting state states stated describe describes described describing deny denies denied endorse endorses endorsed express expresses expressed indicate indicates indicated note notes noted mention mentions mentioned ' +
  'share shares shared disclose disclosed acknowledge acknowledges acknowledged confirm confirms confirmed explain explains explained identify identifies identified recognise recognises recognised recognize recognizes recognized believe believes believed attribute attributes attributed ' +
  'add adds added answer answers answered ask asks asked agree agrees agreed discuss discusses discussed explore explores explored reflect reflects reflected review reviewed reviews summarise summarised summarize summarized summed sum validate validated validates observe observed observes ' +
  'present presents presenting presented appear appears appeared experience experiences experienced experiencing continue continues continued continuing remain remains remained undergo ongoing current currently recent recently overall general generally related relating regarding concerning due according account ' +
  'symptom symptoms issue issues concern concerns problem problems matter matters difficulty difficulties situation situations event events episode episodes incident time times way part parts level levels period state mood feeling feelings emotion emotions thought thoughts thinking behaviour behavior sense sake ' +
  'including include includes included such respectively following followed subsequent subsequently prior previous previously earlier later since then afterwards initially eventually finally next last past history historical new well total range average typically mostly mainly largely partly somewhat slightly significantly markedly considerably increasingly particularly especially specifically explicitly primarily ' +
  'approximately roughly approx per cent percent plan plans planned planning agreed agreement aim aims goal goals intend intends homework task tasks exercise appointment session sessions meeting treatment intervention interventions response assessment information context detail details reason reasons result results effect effects impact cause causes caused ' +
  'link links linked connect connects connected associate associated lead leads led result resulted resulting make makes made become becomes became find finds found lack lacks lacking cope copes coping manage manages managed attempt attempts attempted able unable unsure uncertain aware unaware willing reluctant ready ' +
  'place person people others role during whilst upon both each either neither various several certain particular possible likely unlikely certain own rated rate rating scale score scored worst peak maximum minimum denial expectation expected expect expects hope hopes hoped wish wishes wished decided decide decides undecided ' +
  'today tonight tomorrow yesterday currently nowadays meanwhile additionally furthermore moreover also however therefore thus hence despite whereas instead collateral asleep yes no risk medication sleep alcohol substance substances caffeine family social work school strengths'
const frameStems = new Set(frameWords.split(' ').flatMap((word) => [word, stemOf(word)]))

export function isFrame(word: string): boolean {
  return frameStems.has(word) || frameStems.has(stemOf(word))
}
