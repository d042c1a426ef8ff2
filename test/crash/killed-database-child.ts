/** `node killed-database-child.ts PATH`: adds and removes rows without end; the file grows, shrinks and is checkpointed. */
import { writeSync } from 'node:fs'
import { argv } from 'node:process'
import { openEncrypted } from '#base/sqlite.ts'

const database = openEncrypted(argv[2]!, Buffer.alloc(32, 7))
database.pragma('wal_autocheckpoint=30')
database.exec('create table if not exists notes (id integer primary key, words text not null) strict')
const insert = database.prepare('insert into notes (words) values (?)')
for (let round = 0; ; round += 1) {
  database.transaction(() => {
    for (let count = 0; count < 100; count += 1) insert.run(`round ${round} `.repeat(30))
  })()
  writeSync(1, '.')
  if (round % 8 === 5) database.exec('delete from notes where id % 5 > 0; vacuum')
  if (round % 4 === 3) database.pragma('wal_checkpoint(TRUNCATE)')
}
