// Imports of Python against its own parser, where python3 is installed and the recording of pytest's repository is at hand.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { assertGood, compared, edgesOf, graphOf, recordedTree } from './trees.mjs'

const SCRIPT = fileURLToPath(new URL('python-edges.py', import.meta.url))

/** The figures; undefined, with a line for the log, where they can't be had. Throws if there is a difference. */
export async function checkPython(scratch, log) {
  const tree = recordedTree('pytest', scratch)
  if (tree === undefined)
    return void log('  Python: skipped, as ../shared/data/repositories/pytest.git.tar is not there')
  const answer = spawnSync('python3', [SCRIPT, tree.root], {
    input: tree.paths.join('\0'),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (answer.error?.code === 'ENOENT') return void log('  Python: skipped, as there is no python3')
  if (answer.status !== 0) throw new Error(`python-edges.py failed: ${answer.stderr.slice(-1_000)}`)
  const lines = answer.stdout.split('\n').filter(Boolean)
  const unread = new Set(lines.filter((line) => line.startsWith('unread ')).map((line) => line.slice('unread '.length)))
  const truth = new Set(lines.filter((line) => line.includes(' -> ')))
  const { graph } = await graphOf(tree)
  const found = edgesOf(graph, (path) => /\.pyi?$/.test(path) && !unread.has(path))
  return assertGood(compared("pytest's repository, against Python's ast", found, truth), log)
}
