// A process that makes a tree of source files and prints as JSON how long related files take in it: without an index, while it
// is built, and with it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createEngine } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/in-memory'
import { createFileSystem, createHasher, createIds, createSystemClock } from '@cairn/core/node'
import { createSourceAccess } from '@cairn/core/node/sources'
import { percentile, randomNumbers } from './numbers.mjs'
import { repository, scratchFolder } from './paths.mjs'

const [fileCount, questionCount] = process.argv.slice(2, 4).map(Number)
/**
 * `tree <folder>` makes the tree, `first <folder>` asks with an index that is there: each in a process of its own, so that its
 * memory is not counted with that of the others.
 */
const [part, partFolder] = process.argv.slice(4)
/** Of 20,000 files of a large repository about so many are source. */
const SOURCE_SHARE = 0.55
const LINES_A_FILE = 130
const FILES_A_FOLDER = 12
const COMMITS = 12
const QUESTIONS = ['rate limit of requests', 'search index segments', 'compaction of the context', 'import of transcripts', 'checkpoint restore conflicts', 'token usage by day', 'memory confidence'] // prettier-ignore

/** Lines of this project's own sources, from which files are put together. */
function sourceLines() {
  const folder = join(repository, 'packages', 'core', 'src')
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
}

/** Makes a repository of `fileCount` files with words of our own sources, and some commits. */
function makeTree(root) {
  const random = randomNumbers(11)
  const lines = sourceLines()
  const words = [...new Set(lines.join(' ').match(/[a-z]{4,9}/g))].sort()
  const word = () => words[Math.floor(random() * words.length)]
  for (let index = 0; index < fileCount; index++) {
    if (index % FILES_A_FOLDER === 0) mkdirSync(join(root, folderOf(index)), { recursive: true })
    const isSource = random() < SOURCE_SHARE
    const from = Math.floor(random() * (lines.length - LINES_A_FILE))
    const text = isSource ? lines.slice(from, from + LINES_A_FILE) : lines.slice(from, from + 3)
    writeFileSync(
      join(root, folderOf(index), `${word()}-${word()}-${index}.${isSource ? 'ts' : 'json'}`),
      text.join('\n'),
    )
  }
  const git = (...options) => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'gc.auto=0', ...options], { cwd: root }) // prettier-ignore
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'All files')
  for (let index = 0; index < COMMITS; index++) {
    const name = join(root, `module-${index % 5}.ts`)
    writeFileSync(name, `export const value${index} = '${word()}'\n`)
    git('add', '-A')
    git('commit', '-qm', `${word()} ${word()} ${word()}`)
  }
}

const folderOf = (index) => {
  const folder = Math.floor(index / FILES_A_FOLDER)
  return join('packages', `p${folder % 29}`, 'src', `f${folder}`)
}

async function timed(action) {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  const answer = await action()
  const { user, system } = process.cpuUsage(cpu)
  return { answer, ms: performance.now() - startedAt, cpuMs: (user + system) / 1000 }
}

/** An own process of this program; what it printed. */
const runPart = (name, folder) =>
  execFileSync(process.execPath, [fileURLToPath(import.meta.url), String(fileCount), '0', name, folder], {
    encoding: 'utf8',
  })

const openBelow = (folder) => {
  const clock = createSystemClock()
  return createEngine({
    store: createInMemoryStore(),
    fileSystem: createFileSystem(),
    hasher: createHasher(),
    clock,
    ids: createIds(clock),
    sources: async () => createSourceAccess({ dataFolder: join(folder, 'data') }),
  }).related
}

if (part === 'tree') makeTree(join(partFolder, 'tree'))
else if (part === 'first') {
  const { answer, ms } = await timed(() =>
    openBelow(partFolder).find({ roots: [join(partFolder, 'tree')], text: QUESTIONS[1] }),
  )
  process.stdout.write(JSON.stringify({ ms, isIndexed: answer.isIndexed }))
} else await measure()

/**
 * Measures questions without an index, building it, and questions with it; prints the results as JSON. Throws if an
 * answer did not use the index.
 */
async function measure() {
  const folder = scratchFolder('related-speed')
  try {
    const root = join(folder, 'tree')
    mkdirSync(root)
    runPart('tree', folder)
    const related = openBelow(folder)
    const cold = await timed(() => related.find({ roots: [root], text: QUESTIONS[0] }))
    const built = await timed(() => related.index([root]))
    const first = JSON.parse(runPart('first', folder))
    const warm = []
    for (let index = 0; index < questionCount; index++)
      warm.push(await timed(() => related.find({ roots: [root], text: QUESTIONS[index % QUESTIONS.length] })))
    const changed = join(root, folderOf(0), 'new-walrus-reader.ts')
    writeFileSync(changed, 'export const walrusReader = () => 1\n')
    const next = await related.find({ roots: [root], text: 'walrus reader' })
    if (!warm.every(({ answer }) => answer.isIndexed) || !first.isIndexed || cold.answer.isIndexed)
      throw new Error('the index was not used as it should be')
    const times = warm.map(({ ms }) => ms)
    process.stdout.write(
      JSON.stringify([
        { name: `${fileCount} files: without an index`, value: cold.ms / 1000, unit: 's', target: { most: 2 } },
        { name: '  CPU of it', value: cold.cpuMs / 1000, unit: 's' },
        { name: '  index built, CPU', value: built.cpuMs / 1000, unit: 's', target: { most: 10 } },
        { name: '  first answer of a process', value: first.ms, unit: 'ms' },
        {
          name: '  warm, median',
          value: percentile(times, 0.5),
          unit: 'ms',
          target: { most: 150 },
          spread: percentile(times, 0.95),
        },
        {
          name: '  warm, CPU',
          value: percentile(
            warm.map(({ cpuMs }) => cpuMs),
            0.5,
          ),
          unit: 'ms',
        },
        {
          name: '  memory of the process',
          value: process.resourceUsage().maxRSS / 1024,
          unit: 'MiB',
          target: { most: 300 },
        },
        {
          name: '  a new file is found next',
          value: next.files[0]?.path.endsWith('new-walrus-reader.ts') === true ? 1 : 0,
          unit: 'count',
          target: { least: 1 },
        },
      ]),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
