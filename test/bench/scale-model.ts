import { seeded } from './records-bench-kit.ts'

/** What one thing costs, measured on this machine by scale.bench.ts; milliseconds of processor and bytes. */
export interface Costs {
  readonly readMs: number
  readonly writeMs: number
  /** A draft and an analysis of a session of 50 minutes, by the rules, with the process that works on long texts. */
  readonly draftMs: number
  readonly analysisMs: number
  /** An idle event stream, for each second. */
  readonly streamMs: number
  /** A call in PostgreSQL's own processes, on the average. */
  readonly databaseMs: number
  /** Of one core, for one minute of speech. */
  readonly speechMsPerMinute: number
  /** A session with its note, transcript, audit and keys. */
  readonly bytesPerSession: number
}

/** Everything nobody measured; change it here and run again. Prices in US dollars, as named by hosters in general. */
export const assumptions = {
  sessionsPerDay: 6,
  minutesPerSession: 50,
  readsPerSession: 20,
  writesPerSession: 10,
  /** Of the changes of their practice: each laptop that is open follows one. */
  streamsPerClinician: 1,
  workingDaysPerMonth: 21,
  workingHours: 9,
  /** The busiest minutes against the average of the working day. */
  peak: 3,
  /** Of the processors that are paid for, at the peak. */
  mostBusy: 0.6,
  /** Nine of ten transcripts are ready so soon after the session. */
  transcriptWithinMinutes: 15,
  audioBytesPerMinute: (28_000 / 8) * 60,
  audioKeptHours: 24,
  yearsKept: 7,
  bytesPerDatabaseNode: 4e12,
  coresPerDatabaseNode: 16,
  /** One primary and one standby of each. */
  copiesOfDatabase: 2,
  coreMonth: 25,
  databaseTerabyteMonth: 115,
  blobTerabyteMonth: 23,
} as const

export interface Size {
  readonly name: string
  readonly clinicians: number
  readonly practices: number
}

export interface Needs {
  readonly sessionsPerDay: number
  readonly callsPerSecond: number
  readonly serviceCores: number
  /** Of those, for drafts and analyses, and for streams. */
  readonly textCores: number
  readonly streamCores: number
  readonly processes: number
  readonly speechCores: number
  readonly databaseCores: number
  readonly databaseTerabytes: number
  readonly databaseNodes: number
  readonly audioTerabytes: number
  readonly dollarsPerMonth: number
}

export function needsOf({ clinicians }: Size, costs: Costs): Needs {
  const a = assumptions
  const sessionsPerDay = clinicians * a.sessionsPerDay
  const perSecond = (each: number): number => ((sessionsPerDay * each) / (a.workingHours * 3600)) * a.peak
  const callMs = perSecond(a.readsPerSession) * costs.readMs + perSecond(a.writesPerSession) * costs.writeMs
  const callsPerSecond = perSecond(a.readsPerSession + a.writesPerSession + 2)
  const textCores = (perSecond(1) * (costs.draftMs + costs.analysisMs)) / 1000 / a.mostBusy
  const streamCores = (clinicians * a.streamsPerClinician * costs.streamMs) / 1000 / a.mostBusy
  const serviceCores = callMs / 1000 / a.mostBusy + textCores + streamCores
  const databaseCores = (callsPerSecond * costs.databaseMs) / 1000 / a.mostBusy
  const speechCores = speechCoresFor(sessionsPerDay, costs.speechMsPerMinute)
  const databaseTerabytes = (sessionsPerDay * a.workingDaysPerMonth * 12 * a.yearsKept * costs.bytesPerSession) / 1e12
  const audioTerabytes = (sessionsPerDay * a.minutesPerSession * a.audioBytesPerMinute * (a.audioKeptHours / 24)) / 1e12
  const databaseNodes = Math.ceil(
    Math.max(databaseTerabytes / (a.bytesPerDatabaseNode / 1e12), databaseCores / a.coresPerDatabaseNode, 1),
  )
  const cores = serviceCores + speechCores + databaseCores * a.copiesOfDatabase
  const dollarsPerMonth =
    cores * a.coreMonth + databaseTerabytes * a.copiesOfDatabase * a.databaseTerabyteMonth + audioTerabytes * a.blobTerabyteMonth
  // A process has one thread that answers; two at least, so that one may be replaced.
  const processes = Math.max(2, Math.ceil(serviceCores))
  return {
    sessionsPerDay,
    callsPerSecond,
    serviceCores,
    textCores,
    streamCores,
    processes,
    speechCores,
    databaseCores,
    databaseTerabytes,
    databaseNodes,
    audioTerabytes,
    dollarsPerMonth,
  }
}

/** Larger sizes are drawn from a sample and multiplied: their queues differ by less than the sample's error. */
const sampled = 20_000

/** The fewest cores with which nine of ten transcripts are ready in time: sessions end together, ten minutes before the hour. */
function speechCoresFor(sessions: number, msPerMinute: number): number {
  const factor = Math.max(1, sessions / sampled)
  const ends = endsOf(Math.round(sessions / factor))
  const lasts = (assumptions.minutesPerSession * msPerMinute) / 60_000
  let [few, enough] = [0, 1]
  while (!isInTime(ends, enough, lasts)) [few, enough] = [enough, enough * 2]
  while (enough - few > 1) {
    const middle = Math.floor((few + enough) / 2)
    if (isInTime(ends, middle, lasts)) enough = middle
    else few = middle
  }
  return enough * factor
}

/** Minutes of the working day at which sessions end; most of them a few minutes around ten to the hour. */
function endsOf(sessions: number): number[] {
  const random = seeded(7)
  const { workingHours } = assumptions
  return Array.from(
    { length: sessions },
    () => Math.floor(random() * workingHours) * 60 + 50 + (random() + random() - 1) * 8,
  ).toSorted((left, right) => left - right)
}

/** First come, first served, by so many cores. */
function isInTime(ends: readonly number[], cores: number, lasts: number): boolean {
  // When each core is free again; the one that is free first is the one that has waited longest, for all work lasts alike.
  const free = new Float64Array(cores)
  let next = 0
  let late = 0
  for (const end of ends) {
    const done = Math.max(end, free[next]!) + lasts
    free[next] = done
    next = (next + 1) % cores
    if (done - end > assumptions.transcriptWithinMinutes) late += 1
  }
  return late <= ends.length / 10
}
