import type { Behaviour, CueDecision, RiskCue, SessionChange } from '#contract/model/analysis.ts'
import { plural, pluralSentence } from './plural.ts'

const behaviours: Record<Behaviour, string> = {
  open_question: 'Open questions',
  closed_question: 'Closed questions',
  simple_reflection: 'Simple reflections',
  complex_reflection: 'Complex reflections',
  information: 'Information',
  other: 'Other',
}

const decisions: Record<CueDecision['decision'], string> = {
  asked: 'I asked about it in the session',
  follow_up: 'I will follow up',
  no_concern: 'Not a safety concern, because…',
}

const decided: Record<CueDecision['decision'], string> = {
  asked: 'Asked about in the session',
  follow_up: 'To follow up',
  no_concern: 'Not a safety concern',
}

const changes: Record<SessionChange['kind'], string> = { topic: 'Topic', goal: 'Goal', homework: 'Agreed last time' }

const about: Record<RiskCue['about'], string> = {
  speaker: '',
  somebody_else: 'These words seem to be about somebody else.',
  unclear: 'Whom these words are about is not clear from them.',
}

const rounded = (share: number): string => `${Math.round(share * 100)} %`

export const insightWords = {
  loading: 'Opening the insights',
  promise: 'Counted from the words. Feelings are never guessed.',
  none: {
    title: 'This session was not read for insights',
    lead: 'Topics with quotes, what was agreed, what to take up next time, and how the talk was shared. Put together on this laptop from the transcript, without AI.',
    leadRemote:
      'Topics with quotes, what was agreed, what to take up next time, and how the talk was shared. Put together by your practice’s service from the transcript.',
    read: 'Read this session',
    readAgain: 'Read it again',
    reading: 'Reading the session',
    stop: 'Stop',
    stopped: 'Reading was stopped. The transcript is as it was.',
    waiting: 'It waits for the service. You can go on working.',
    noTranscript: 'There are no words to read yet',
    noTranscriptText: 'Insights are put together from the transcript.',
    toTranscript: 'Go to the transcript',
  },
  consent: {
    title: 'Not everyone has agreed to insights',
    text: 'Insights have a consent of their own. Without it, nothing is put together and nothing is kept.',
    formTitle: (name: string): string => `${name} agrees to insights into this and later sessions`,
    readAloud: (hasPractice: boolean): string =>
      [
        'I would like to have the transcript of our sessions looked through for what we talked about, what we agreed and what to come back to.',
        hasPractice ? 'This is done by our practice’s own service.' : 'This is done on this laptop, and nothing of it leaves it.',
        'It does not judge you or guess how you feel. You can say no, and you can take it back at any time.',
      ].join(' '),
  },
  aside: 'What to decide and take up',
  outdated: 'The transcript was corrected since this was put together.',
  topics: {
    title: 'What you talked about',
    help: 'Choose a topic to read its moments',
    none: 'No matter came up in more than one turn.',
    minutes: (minutes: number): string => (minutes < 1 ? 'under 1 min' : `${Math.round(minutes)} min`),
    moments: (count: number): string => plural(count, '# moment', '# moments'),
    name: (topic: string, length: string, moments: string): string => `${topic}, ${length}, ${moments}`,
    asSaid: (topic: string): string => `${topic}, as it was said`,
  },
  quote: {
    play: (at: string): string => `Play ${at}`,
    stop: 'Stop',
    toTranscript: (at: string): string => `${at}, show in the transcript`,
    untimed: 'Show',
    beforeOn: (date: string): string => `On ${date}`,
    now: 'Now',
    notSpoken: 'Not spoken of in this session.',
  },
  figures: {
    who: 'Who spoke',
    you: 'You',
    untimed: 'Not known: this transcript has no times.',
    share: (name: string, share: number): string => `${name} ${rounded(share)}`,
    pace: 'Pace',
    words: (words: number): string => plural(words, '# word', '# words'),
    aMinute: (words: number): string => `${words} words a minute`,
    silence: 'Silence',
    noSilence: 'No pause of three seconds or longer.',
    silences: (count: number, total: string): string =>
      pluralSentence(
        count,
        `# pause of three seconds or longer, ${total} in all.`,
        `# pauses of three seconds or longer, ${total} in all.`,
      ),
    longest: (length: string): string => `The longest was ${length}.`,
    playBefore: (at: string): string => `Play the words before the longest pause, ${at}`,
  },
  behaviours: {
    title: 'What you did',
    help: 'Counted by turn: a turn that reflects and then asks counts for both. Told apart by the words alone, and sometimes wrongly: look at the turns.',
    unknown: 'Not counted: it is not certain which voice is yours. Name the voices in the transcript.',
    name: (behaviour: Behaviour): string => behaviours[behaviour],
    head: { what: 'What', count: 'Turns' },
    ratio: 'Reflections to each question',
    complex: 'Complex among reflections',
    open: 'Open among questions',
    share: (share: number | null): string => (share === null ? 'none' : rounded(share)),
    times: (ratio: number | null): string => (ratio === null ? 'no question' : ratio.toFixed(1)),
    hide: 'Hide the turns',
    turnsOf: (behaviour: string): string => `${behaviour}, turn by turn`,
  },
  methods: { title: 'Methods named', none: 'No method was named from what was done.' },
  noted: 'What you summed up',
  cues: {
    title: 'Needs your decision',
    decidedTitle: 'Decided',
    count: (at: number, of: number): string => `${at} of ${of}`,
    lead: 'These words were found. What they mean is yours to say.',
    none: 'No words of risk were found. That is no finding about risk.',
    said: (who: string): string => `Said by ${who}.`,
    answers: (question: string): string => `In answer to: “${question}”`,
    takenUp: (at: string): string => `You asked about it at ${at}.`,
    takenUpUntimed: 'You asked about it afterwards.',
    notTakenUp: 'No question about it was found afterwards.',
    about: (whom: RiskCue['about']): string => about[whom],
    choice: 'Your decision',
    option: (decision: CueDecision['decision']): string => decisions[decision],
    decided: (decision: CueDecision['decision']): string => decided[decision],
    reason: 'In your words',
    reasonNeeded: 'Say why it is no safety concern.',
    record: 'Record my decision',
    recording: 'Recording it…',
    choose: 'Choose one first.',
    change: 'Change',
  },
  next: {
    title: 'To take up next time',
    none: 'Nothing was found to take up.',
    help: 'Proposals from what was said. What to do is yours to decide.',
    fromBefore: 'From the session before.',
  },
  goals: {
    title: 'Goals',
    none: 'No goal was said.',
    notRaised: 'Not raised',
  },
  homework: { title: 'Agreed for next time', none: 'Nothing was found to be agreed.' },
  changes: {
    title: 'Since the last session',
    lead: (date: string): string => `What was said on ${date} and what was said now, side by side.`,
    none: 'There is no earlier session to compare with.',
    nothing: 'Nothing was found that both sessions speak of.',
    kind: (kind: SessionChange['kind']): string => changes[kind],
  },
  footer: 'Insights are for you. They are not part of the record unless you add them to the note.',
}

/** Stored with the consent as proof of the wording. Change it whenever the wording changes. */
export const insightConsentVersion = (hasPractice: boolean): string =>
  `insights-read-aloud-2026-1 ${hasPractice ? 'practice' : 'laptop'}`

export const briefWords = {
  tab: 'Before next',
  title: 'Before the next session',
  next: (when: string): string => `Next session ${when}.`,
  noNext: 'No next session is planned.',
  last: (number: number, date: string): string => `From session ${number} on ${date}.`,
  nothing: 'There is nothing to go by yet',
  nothingText: 'After the first note or the first insights, what to know before the next session stands here on one page.',
  print: 'Print this page',
  printHelp: 'Paper is not encrypted.',
  toSession: 'Open the last session',
  unsigned: 'The note is not signed yet.',
  plan: 'Plan in the note',
  planNone: 'The note has no plan.',
  noNote: 'There is no note of that session.',
  questions: 'To take up',
  questionsNone: 'Nothing was found to take up.',
  cues: 'Words of risk to decide or follow up',
  goals: 'Goals',
  changes: 'What was said then and now',
  notAsked: 'The last session was not read for insights. You can ask for it in the session.',
  notAgreed: 'Without consent to insights, only the note’s plan stands here.',
}
