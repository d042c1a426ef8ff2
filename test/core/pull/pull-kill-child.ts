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
      const isPage = !asked[2]?.includes('event-stream')
      if (isPage && ++answers === Number(count)) kill(pid, 'SIGKILL')
      return answer
    },
  },
})
pull.start()
const look = setInterval(() => {
  if (rows('pull_wanted') > 0 || rows(`pull_lists where state = 'done'`) < 7) return
  clearInterval(look)
  stdout.write('all here\n')
  void pull.stop()
}, 5)
