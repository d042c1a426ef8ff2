import { argv, kill, pid, stdout } from 'node:process'
import { systemClock } from '#base/clock.ts'
import { silentLog } from '#base/log.ts'
import { clientAt, everything, openLaptop } from './open-laptop.ts'

/**
 * `node pull-kill-child.ts FOLDER KEY ADDRESS TOKEN COUNT`: pulls, and kills itself when the so-manieth answer has come, with
 * nothing of it taken. Writes a line once everything is there.
 */
const [folder = '', key = '', address = '', token = '', count = '0'] = argv.slice(2)
const client = clientAt(address, token)
let answers = 0
let isFollowing = false
const { pull, count: rows } = openLaptop({
  folder,
  key: Buffer.from(key, 'hex'),
  address,
  clock: systemClock,
  log: silentLog,
  offers: everything,
  client: {
    ...client,
    async ask(...asked) {
      const answer = await client.ask(...asked)
      isFollowing = asked[2]?.includes('event-stream') ?? false
      if (!isFollowing && ++answers === Number(count)) kill(pid, 'SIGKILL')
      return answer
    },
  },
})
pull.start()
const look = setInterval(() => {
  if (!isFollowing || rows('pull_wanted') > 0) return
  clearInterval(look)
  stdout.write('all here\n')
  void pull.stop()
}, 5)
