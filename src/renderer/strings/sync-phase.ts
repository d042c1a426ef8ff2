import type { OutboxStatus } from '#contract/bridge/library.ts'
import { plural } from './plural.ts'

type Status = Pick<OutboxStatus, 'phase' | 'waiting' | 'done' | 'total' | 'reachable'>

const changes = (count: number): string => plural(count, '# change', '# changes')
const wait = (count: number): string => plural(count, '# change waits', '# changes wait')

/** @param until formatted time at which sending resumes; null if there is no such time */
export function phaseSentence({ phase, waiting, done, total, reachable }: Status, until: string | null): string {
  switch (phase) {
    case 'saved':
      return reachable ? 'What goes to your practice is there.' : 'You are offline. Nothing waits.'
    case 'sending':
      return `Syncing ${Math.min(done + 1, total)} of ${total}.`
    case 'offline':
      return `You are offline: ${changes(waiting)} will be sent later.`
    case 'backing_off':
      return until === null ? 'Your practice’s service is busy.' : `Trying again at ${until}.`
    case 'quota':
      return `${wait(waiting)} for new calls${until === null ? '' : `, until ${until}`}.`
    case 'needs_key':
      return `Your practice needs a key or a sign-in. ${wait(waiting)}.`
    case 'paused':
      return waiting === 0 ? 'Sending is paused.' : `Sending is paused. ${wait(waiting)}.`
  }
}

/** The number of conflicts, plus items that need the user and do not belong to a conflict. */
export function countToDo({ needs_you, conflicts, asked }: Pick<OutboxStatus, 'needs_you' | 'conflicts' | 'asked'>): number {
  return Math.max(0, needs_you - asked) + conflicts
}

export interface PhaseWords {
  readonly title: string
  readonly text: string
}

export function phaseWords(status: Pick<OutboxStatus, 'phase' | 'quota'>, until: string | null): PhaseWords | null {
  switch (status.phase) {
    case 'offline':
      return {
        title: 'You are offline.',
        text: `Everything works and is saved here. ${until === null ? 'It is sent when there is a network again.' : `The next try is at ${until}.`}`,
      }
    case 'backing_off':
      return {
        title: 'Your practice’s service is not ready.',
        text: `Nothing is lost. ${until === null ? 'It is tried again by itself.' : `The next try is at ${until}.`}`,
      }
    case 'quota':
      return {
        title: callsUsedUp(status.quota?.limit ?? null),
        text: `${until === null ? 'What waits goes on by itself with new ones.' : `New ones begin at ${until}.`} What needs no call is sent meanwhile. You can choose what goes first.`,
      }
    case 'needs_key':
      return {
        title: 'Your practice’s service does not take this key.',
        text: 'You can go on working here, and all of it is sent once there is another key or you have signed in again.',
      }
    case 'paused':
      return { title: 'You have paused sending.', text: 'You can go on working here. Nothing goes out until you go on.' }
    case 'saved':
    case 'sending':
      return null
  }
}

const callsUsedUp = (limit: number | null): string =>
  limit === null ? 'Your practice’s calls of today are used up.' : `Your practice’s ${limit} calls of today are used up.`

export const phaseStrings = {
  pause: 'Pause sending',
  goOn: 'Go on sending',
  openSettings: 'Open settings',
  waiting: {
    saved: 'Waiting',
    sending: 'Waiting for its turn',
    offline: 'Waiting for the network',
    backing_off: 'Waiting for the service',
    quota: 'Waiting for new calls',
    needs_key: 'Waiting for a key',
    paused: 'Waiting until you go on',
  } satisfies Record<OutboxStatus['phase'], string>,
  quota: {
    title: 'Today’s calls',
    left: (remaining: number, limit: number): string => `${remaining} of ${limit} are left for your practice`,
    leftOnly: (remaining: number): string => plural(remaining, '# is left for your practice', '# are left for your practice'),
    until: (when: string): string => `They begin anew at ${when}.`,
  },
} as const
