/** Who changed a file: cases with real files, and what has to be said of each. Run by tests, and many times by `npm run checks`. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createFileAttribution } from '../../node/watching/file-attribution.ts'
import type { AttributedChange } from '../../node/watching/file-attribution.ts'
import { KNOWN_CASES } from './known-cases.ts'
import { MORE_CASES, UNDECIDABLE_CASES } from './more-cases.ts'
import { worldOf } from './world.ts'
import type { AttributionCase, World } from './world.ts'

export const ATTRIBUTION_CASES: readonly AttributionCase[] = [...KNOWN_CASES, ...MORE_CASES, ...UNDECIDABLE_CASES]

/** What is later than this was not soon. */
const SOON_MS = 1_000
const ATTEMPTS = 20

/**
 * Runs a case in an empty folder; resolves with what was told, in the form of `expected`, changes of one file in their order.
 * It is run again where the machine stood still for so long that what was to happen soon did not. Rejects after twenty of these.
 */
export const runAttributionCase = async (each: AttributionCase, folder: string): Promise<readonly string[]> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const own = join(folder, String(attempt))
    mkdirSync(own)
    const told = await attemptCase(each, own)
    if (told !== 'too-slow') return told
  }
  throw new Error(`${each.name}: the machine is too slow for it`)
}

/**
 * Runs a case once in a folder: what was told of its changes, sorted by name; `too-slow` where a write that was to come
 * soon came late.
 */
const attemptCase = async (each: AttributionCase, folder: string): Promise<readonly string[] | 'too-slow'> => {
  const { before = { a: 'first\n' }, expected } = each
  const changes: AttributedChange[] = []
  const pauses: number[] = []
  const files = createFileAttribution({ onChange: (change) => changes.push(change) })
  const world = worldOf(folder, files, changes, pauses)
  for (const [name, text] of Object.entries(before)) {
    mkdirSync(join(world.at(name), '..'), { recursive: true })
    world.put(name, text)
  }
  if (each.git === true) await commitAll(world)
  try {
    const names = Object.keys(before).filter((name) => !name.includes('/'))
    await Promise.all(names.map((name) => files.track(world.at(name))))
    await each.run(world)
    if (pauses.some((ms) => ms > SOON_MS)) return 'too-slow'
    await world.told(expected.length)
    // What was not to be told would be told by now.
    await files.settle()
    const hasAuthor = expected.some((text) => text.includes('='))
    return changes
      .map((change): [string, AttributedChange] => [change.path.slice(folder.length + 1), change])
      .sort(([left], [right]) => Number(left > right) - Number(left < right))
      .map(([name, { verdict, author }]) => textOf(name, verdict, hasAuthor ? author : null))
  } finally {
    await files.close()
  }
}

/** Makes the folder a repository with all of it in one commit, tagged `first`. */
const commitAll = async ({ git }: World): Promise<void> => {
  await git('init', '-q')
  await git('add', '-A')
  await git('commit', '-qm', 'first')
  await git('tag', 'first')
}

const textOf = (name: string, verdict: string, author: string | null): string =>
  `${name === 'a' ? '' : `${name}:`}${verdict}${author === null ? '' : `=${author}`}`
