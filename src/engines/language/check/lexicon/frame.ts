import { stemOf } from '../words.ts'

/** Words a note is written with: they report, order and connect, and need no source of their own. */
const words =
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
const stems = new Set(words.split(' ').flatMap((word) => [word, stemOf(word)]))

export function isFrame(word: string): boolean {
  return stems.has(word) || stems.has(stemOf(word))
}
