// Related files: of real commits, how many of the files that they touched are among the first 20 for their subject, by the
// tree and the history before them; and how long an answer takes in a tree of 20,000 files. The ranking was tuned on commits
// with even numbers, the newest being 0; odd ones are reported.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cairnCommand, cairnEnvironment } from './cairn.mjs'
import { sessionFiles } from './context-sessions.mjs'
import { dataFolder, repository, scratchFolder } from './paths.mjs'
import { runWell } from './processes.mjs'

/** Of the newest, as many are measured; the odd ones of them are reported. */
export const COMMITS = 60
const FIRST = 20
const NAMES = ['cli', 'axum', 'pytest']
export const OWN = 'this project'
/** This project as it was, where its own history has it. */
export const OWN_COMMIT = 'a9792f8'
const ROOT = '/repository'
/** Of a commit each touched file is the known one once, up to so many: the first alone leaves more to chance. */
const MOST_KNOWN = 4
/** What is averaged over the repositories, with its target. */
const MEANS = [
  ['odd, text', 0.78],
  ['odd, a file known', 0.86],
  ['odd, each file known', undefined],
  ['all, each file known', undefined],
]

const worker = fileURLToPath(new URL('related-speed-worker.mjs', import.meta.url))

/** Measures related files: how many are found in recorded histories, and how fast in a made tree of `files` files. */
export async function related({ files, questions, log }) {
  const scratch = scratchFolder('related')
  try {
    const results = await quality(scratch, log)
    // As it is built: a process that strips types as it loads takes 30 MB more.
    const nx = join(repository, 'node_modules', 'nx', 'dist', 'bin', 'nx.js')
    await runWell([process.execPath, nx, 'run', '@cairn/core:build'], {
      cwd: repository,
      env: { NX_DAEMON: 'false', NX_TUI: 'false' },
    })
    const { stdout } = await runWell([process.execPath, worker, String(files), String(questions)], {
      env: cairnEnvironment,
    })
    return [...results, ...JSON.parse(stdout)]
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The shares found in each repository, and their means over the open ones. */
async function quality(scratch, log) {
  const { isSourcePath } = await import('../../packages/core/src/sources/related/source-path.ts')
  const { casesOf } = await import('./related-history.mjs')
  const results = []
  const parts = []
  for (const { name, folder, head } of repositories(scratch, log)) {
    const cases = casesOf(folder, { head, most: COMMITS, isSource: isSourcePath })
    log(`related: ${name}, ${cases.length} commits`)
    const shares = await sharesOf({ folder, head, cases, scratch, name, log })
    parts.push({ name, shares })
    for (const [label, values] of Object.entries(shares))
      results.push({ name: `${label}: ${name}`, value: percent(values), unit: 'ratio', ...targetOf(label, name) })
  }
  const open = parts.filter(({ name }) => NAMES.includes(name))
  if (open.length > 0)
    for (const [label, least] of MEANS)
      results.push({
        name: `${label}: mean`,
        value: open.reduce((sum, { shares }) => sum + percent(shares[label]), 0) / open.length,
        unit: 'ratio',
        ...(least === undefined ? {} : { target: { least } }),
      })
  return results
}

const percent = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
const targetOf = (label, name) => (name === OWN && label === 'all, text' ? { target: { least: 0.57 } } : {})

/** Repositories that are there, with the newest commit that counts. */
export function* repositories(scratch, log) {
  const data = dataFolder()
  for (const name of NAMES) {
    const archive = data === undefined ? undefined : join(data, 'repositories', `${name}.git.tar`)
    if (archive === undefined || !existsSync(archive))
      log(`related: ${name} is skipped, as it is not beside the repository`)
    else {
      mkdirSync(join(scratch, name))
      execFileSync('tar', ['xf', archive, '--strip-components=1', '-C', join(scratch, name)])
      yield { name, folder: join(scratch, name), head: 'HEAD' }
    }
  }
  try {
    execFileSync('git', ['cat-file', '-e', `${OWN_COMMIT}^{commit}`], { cwd: repository, stdio: 'ignore' })
    yield { name: OWN, folder: repository, head: OWN_COMMIT }
  } catch {
    log(`related: this project is skipped, as its history does not have ${OWN_COMMIT}`)
  }
}

/** Shares of the touched files among the first, by kind of question, a number a commit. */
async function sharesOf({ folder, head, cases, scratch, name, log }) {
  const { createEngineRelatedFiles } = await import('../../packages/core/src/engine/related-files.ts')
  const { LOG_OPTIONS } = await import('../../packages/core/src/sources/related/commits.ts')
  const { createHasher } = await import('../../packages/core/src/node/hasher.ts')
  const { pastSources } = await import('./related-history.mjs')
  const past = pastSources(folder, LOG_OPTIONS, head)
  const store = name === 'cli' ? await storeWithSessions(scratch, log) : undefined
  const clock = { now: () => Date.now() }
  const engine = createEngineRelatedFiles({ ...store?.ports, access: past.access, hasher: createHasher(), clock })
  const shares = {
    'even, text': [],
    'odd, text': [],
    'all, text': [],
    'even, a file known': [],
    'odd, a file known': [],
    'odd, each file known': [],
    'all, each file known': [],
  }
  if (store !== undefined) Object.assign(shares, { 'all, with sessions': [] })
  for (const { parent, index, at, subject, truth } of cases) {
    past.move(parent)
    // First the index, as an answer before it would be made without.
    await engine.index([ROOT])
    const half = index % 2 === 0 ? 'even' : 'odd'
    const share = await shareFound(engine, { text: subject }, truth)
    shares[`${half}, text`].push(share)
    shares['all, text'].push(share)
    const ofKnown = []
    for (const file of truth.length > 1 ? truth.slice(0, MOST_KNOWN) : [])
      ofKnown.push(
        await shareFound(
          engine,
          { text: subject, file },
          truth.filter((path) => path !== file),
        ),
      )
    if (ofKnown.length > 0) {
      shares[`${half}, a file known`].push(ofKnown[0])
      if (half === 'odd') shares['odd, each file known'].push(percent(ofKnown))
      shares['all, each file known'].push(percent(ofKnown))
    }
    if (store !== undefined)
      shares['all, with sessions'].push(
        await shareFound(engine, { text: subject, workspace: store.workspace, until: at }, truth),
      )
  }
  await store?.close()
  return shares
}

/** The share of the expected files among the first `FIRST` found, 0 to 1. */
async function shareFound(engine, query, truth) {
  const { files } = await engine.find({ roots: [ROOT], limit: FIRST, ...query })
  const found = new Set(files.map(({ path }) => path))
  return truth.filter((path) => found.has(path)).length / truth.length
}

/** A store with the recorded sessions of entireio/cli; undefined where they are not there. */
async function storeWithSessions(scratch, log) {
  const files = sessionFiles().filter((file) => file.includes('entireio_'))
  if (files.length === 0) return undefined
  const address = `file:${join(scratch, 'store.db')}`
  await runWell(cairnCommand(['import', ...files.flatMap((file) => ['--from', file]), '--store', address]), {
    env: cairnEnvironment,
  })
  const { openStore } = await import('@cairn/storage-prisma')
  const store = await openStore(address)
  const { sessions } = await store.sessions.list({ limit: 1000 })
  const workspaces = [...new Set(sessions.map(({ workspace }) => workspace))]
  log(`related: ${sessions.length} recorded sessions of ${workspaces.length} folders`)
  // All sessions in the store are of this repository, in whose clone ever.
  const search = {
    search: (query) => store.search.search(withoutWorkspace(query)),
    touches: (query) => store.search.touches(withoutWorkspace(query)),
  }
  const { sessions: logs, state } = store
  return { ports: { search, sessions: logs, state }, workspace: 'any', close: () => store.close() }
}

const withoutWorkspace = (query) => ({ ...query, workspace: undefined })
