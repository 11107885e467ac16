// npm run bench:suggestions: how often what `memory suggest` finds is done again. Each finding counts once, at the session
// that makes it one; a check or a first file is right when one of the next five sessions has it, the files of a branch when
// its next session uses any of them. Instruction files and the memory are left out of it.
import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { cairnCommand, cairnEnvironment, ensureBuilt } from './cairn.mjs'
import { NO_SESSIONS, sessionFiles } from './context-sessions.mjs'
import { scratchFolder } from './paths.mjs'
import { runWell } from './processes.mjs'

const LOOKED_AHEAD = 5

const files = sessionFiles()
if (files.length === 0) {
  console.log(NO_SESSIONS)
  process.exit(0)
}
await ensureBuilt()
const { openStore } = await import('@cairn/storage-prisma')
const { WINDOW, branchFinding, isTopicBranch, sharedFindings } =
  await import('../../packages/core/src/suggestions/find-suggestions.ts')
const { habitsOf } = await import('../../packages/core/src/suggestions/session-habits.ts')
const folder = scratchFolder('suggestions')
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
mkdirSync(folder, { recursive: true })
const address = `file:${join(folder, 'store.db')}`
console.error(`importing ${files.length} sessions …`)
await runWell(cairnCommand(['import', ...files.flatMap((file) => ['--from', file]), '--store', address]), {
  env: cairnEnvironment,
})

const store = await openStore(address)
const { sessions } = await store.sessions.list({ limit: 10_000, sort: 'started', order: 'ascending' })
/** Sessions of a repository, whoever's clone they were in, the oldest first. */
const repositories = new Map()
for (const session of sessions) {
  const entries = await store.sessions.read(session.id, { kinds: ['message'] })
  const observed = { session, habits: habitsOf(entries, session.workspace ?? '', session.branch) }
  const name = basename(session.workspace ?? '')
  repositories.set(name, [...(repositories.get(name) ?? []), observed])
}
await store.close()

const counts = new Map()
const count = (rule, isRight) => {
  const { right, all } = counts.get(rule) ?? { right: 0, all: 0 }
  counts.set(rule, { right: right + (isRight ? 1 : 0), all: all + 1 })
}
const namesOf = { 'check-command': ({ checks }) => checks, 'first-file': ({ firstFiles }) => firstFiles }

for (const observed of repositories.values()) {
  const found = new Set()
  for (const [index, { session, habits }] of observed.entries()) {
    const window = observed.slice(Math.max(0, index + 1 - WINDOW), index + 1)
    const ahead = observed.slice(index + 1, index + 1 + LOOKED_AHEAD)
    for (const { rule, subject } of ahead.length === 0 ? [] : sharedFindings(window)) {
      if (found.has(`${rule} ${subject}`)) continue
      found.add(`${rule} ${subject}`)
      count(
        rule,
        ahead.some((later) => namesOf[rule](later.habits).has(subject)),
      )
    }
    if (session.branch === null || !isTopicBranch(session.branch)) continue
    const finding = branchFinding(session.branch, { session, habits })
    const next = observed.slice(index + 1).find((later) => later.session.branch === session.branch)
    if (finding === undefined || next === undefined) continue
    const used = next.habits.files
    count(
      'branch-files',
      finding.files.some((path) => used.has(path)),
    )
  }
}
console.log(`${sessions.length} sessions of ${repositories.size} repositories`)
for (const rule of ['check-command', 'first-file', 'branch-files']) {
  const { right, all } = counts.get(rule) ?? { right: 0, all: 0 }
  console.log(
    `${rule.padEnd(16)}${right} of ${all} done again${all === 0 ? '' : ` (${Math.round((100 * right) / all)} %)`}`,
  )
}
