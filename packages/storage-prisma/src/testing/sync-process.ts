/**
 * A sync as a process of its own, to be killed. Arguments: addresses of the user's store and the team's, the machine's id,
 * and after how many calls of the two stores it kills itself (at some moment in the milliseconds after it). Prints the
 * report.
 */
import { runSync } from '@cairn/core/sync'
import { openStore } from '../open-store.ts'
import { depsOf } from './planted-store.ts'

const [address = '', teamAddress = '', id = '', calls] = process.argv.slice(2)
let left = calls === undefined ? Number.POSITIVE_INFINITY : Number(calls)

/** The object with its calls counted. */
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
const report = await runSync({ ...deps, source: counted(deps.source) })
await team.close()
await local.close()
process.stdout.write(JSON.stringify(report))
