/**
 * A sync as a process of its own, to be killed. Arguments: addresses of the user's store and the team's, the machine's id,
 * and what it does: nothing more (it runs to its end), after how many calls of the two stores it kills itself (at some
 * moment in the milliseconds after it), or `withdraw=<session>`. With a last argument `wait` it prints a line once it is
 * ready, and waits for the end of standard input. Prints the report.
 */
import { text } from 'node:stream/consumers'
import { runSync, withdrawSessions } from '@cairn/core/sync'
import { openStore } from '../open-store.ts'
import { depsOf } from './planted-store.ts'

const [address = '', teamAddress = '', id = '', task = '', start] = process.argv.slice(2)
const withdrawn = /^withdraw=(.+)$/.exec(task)?.[1]
let left = task === '' || withdrawn !== undefined ? Number.POSITIVE_INFINITY : Number(task)

/** The object, of which every access to a property counts; at the set number the process kills itself shortly after. */
const counted = <T extends object>(value: T): T =>
  new Proxy(value, {
    get: (target, name) => {
      left -= 1
      if (left === 0) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Math.random() * 20)
      return Reflect.get(target, name) as unknown
    },
  })

const [local, team] = [await openStore(address), await openStore(teamAddress)]
const deps = depsOf(local, () => Promise.resolve(counted(team.sync.target)), {
  id,
  choices: { workspaces: { '/work/open': 'text' } },
})
if (start === 'wait') {
  process.stdout.write('\n')
  await text(process.stdin)
}
const report =
  withdrawn === undefined
    ? await runSync({ ...deps, source: counted(deps.source) })
    : { withdrawn: await withdrawSessions(deps, [withdrawn]) }
await team.close()
await local.close()
process.stdout.write(JSON.stringify(report))
