// Related files on many more commits than the benchmark has, for trying out changes of the ranking: of each repository the
// even ones of the newest 60 and all older ones, so that half a point is more than chance.
//   node tools/bench/related-lab.mjs [--only cli] [--commits 460]
// Every touched file is the known one once, up to four a commit. A change is worth taking where it helps in each repository,
// or with weights that were chosen without it; then the benchmark's odd commits are looked at, once.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { scratchFolder } from './paths.mjs'
import { COMMITS, OWN, OWN_COMMIT, repositories } from './related.mjs'
import { requireTypeScript } from './typescript.mjs'

const ROOT = '/repository'
/** A share among the first 20 jumps with one place: these around it are averaged. */
const AROUND = [14, 17, 20, 23, 27]
const MOST_KNOWN = 4
/** The ranking needs some history to speak of. */
const FEWEST_BEFORE = 100

requireTypeScript('npx node tools/bench/related-lab.mjs')
const { createRelatedFiles } = await import('../../packages/core/src/sources/related/create-related.ts')
const { LOG_OPTIONS } = await import('../../packages/core/src/sources/related/commits.ts')
const { questionTerms } = await import('../../packages/core/src/sources/related/question.ts')
const { isSourcePath } = await import('../../packages/core/src/sources/related/source-path.ts')
const { createHasher } = await import('../../packages/core/src/node/hasher.ts')
const { casesOf, pastSources } = await import('./related-history.mjs')

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
const git = (folder, ...options) => execFileSync('git', options, { cwd: folder }).toString('utf8').trim()

/** Commits to tune on; of this project those after the one that the benchmark reports. */
const tuned = ({ name, folder, head }, most) => {
  const isOwn = name === OWN
  const cases = casesOf(folder, { head: isOwn ? 'HEAD' : head, most, isSource: isSourcePath })
  const since = isOwn ? new Set(git(folder, 'rev-list', `${OWN_COMMIT}..HEAD`).split('\n')) : undefined
  return cases.filter(({ id, index, parent, subject }) => {
    if (questionTerms(subject).length === 0) return false
    const isReported = since === undefined ? index < COMMITS && index % 2 === 1 : !since.has(id)
    return !isReported && Number(git(folder, 'rev-list', '--count', '--no-merges', parent)) >= FEWEST_BEFORE
  })
}

/**
 * How many of the files that each commit changed are found from its subject, and from one of these files; 0 to 1 a
 * commit.
 */
const measured = async (repository, most) => {
  const cases = tuned(repository, most)
  const past = pastSources(repository.folder, LOG_OPTIONS, cases[0]?.id ?? 'HEAD')
  const related = createRelatedFiles({ access: past.access, hasher: createHasher(), clock: { now: () => Date.now() } })
  const sharesOf = async (query, truth) => {
    const { files } = await related.find({ roots: [ROOT], limit: Math.max(...AROUND), ...query })
    const positions = truth.map((path) => files.findIndex((file) => file.path === path))
    const among = (first) => positions.filter((position) => position >= 0 && position < first).length / truth.length
    return { first20: among(20), around: mean(AROUND.map(among)) }
  }
  const [text, known] = [[], []]
  for (const { parent, subject, truth } of cases) {
    past.move(parent)
    await related.index([ROOT])
    text.push(await sharesOf({ text: subject }, truth))
    const ofKnown = []
    for (const file of truth.length > 1 ? truth.slice(0, MOST_KNOWN) : [])
      ofKnown.push(
        await sharesOf(
          { text: subject, file },
          truth.filter((path) => path !== file),
        ),
      )
    if (ofKnown.length > 0)
      known.push({
        first20: mean(ofKnown.map(({ first20 }) => first20)),
        around: mean(ofKnown.map(({ around }) => around)),
      })
  }
  return { text, known }
}

const { values } = parseArgs({ options: { only: { type: 'string' }, commits: { type: 'string', default: '460' } } })
const scratch = scratchFolder('related-lab')
try {
  for (const repository of repositories(scratch, console.error)) {
    if (values.only !== undefined && repository.name !== values.only) continue
    const shares = await measured(repository, Number(values.commits))
    for (const [label, all] of Object.entries(shares)) {
      const percent = (kind) => (100 * mean(all.map((share) => share[kind]))).toFixed(2)
      console.log(
        `${repository.name}, ${label}: ${percent('first20')} % among the first 20, ${percent('around')} % around (${all.length} commits)`,
      )
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
