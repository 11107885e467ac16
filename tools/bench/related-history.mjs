// Past states of a repository as the port that related files are found from: the tree and the log before a commit, nothing
// of the working tree. Contents come from `git cat-file --batch`.
import { execFileSync } from 'node:child_process'
import { importNeighbours } from '../../packages/core/src/sources/imports/import-graph.ts'
import { createImportIndex } from '../../packages/core/src/sources/imports/import-index.ts'

const MOST_COMMITS = 2000
const LARGEST_BYTES = 1_000_000
const MOST_BUFFER = 2 ** 31 - 1

const git = (folder, options, input) =>
  execFileSync('git', options, { cwd: folder, maxBuffer: MOST_BUFFER, stdio: ['pipe', 'pipe', 'ignore'], input })
const textOf = (folder, ...options) => git(folder, options).toString('utf8')
const piecesOf = (text) => text.split('\0').filter((piece) => piece !== '')

/**
 * @typedef {object} Case
 * @property {string} id
 * @property {string} parent
 * @property {number} index the newest is 0
 * @property {number} at ms
 * @property {string} subject
 * @property {string[]} truth source files that it touched and that were there before it
 */

/**
 * The newest commits of a branch that touch 2 to 10 source files.
 * @param {string} folder
 * @param {{ head: string, most: number, isSource: (path: string) => boolean }} options
 * @returns {Case[]}
 */
export function casesOf(folder, { head, most, isSource }) {
  const format = '--format=%x1e%H%x00%P%x00%ct%x00%s%x00'
  const log = textOf(folder, 'log', head, '--no-merges', '--name-only', '-z', '--no-renames', format)
  const cases = []
  for (const record of log.split('\x1e').slice(1)) {
    const [id, parents, seconds, subject, ...names] = record.split('\0')
    const [parent] = parents.split(' ')
    const touched = names.map((name) => name.replace(/^\n/, '')).filter((name) => name !== '' && isSource(name))
    if (parent === '' || touched.length < 2 || touched.length > 10) continue
    const before = new Set(piecesOf(textOf(folder, 'ls-tree', '-r', '-z', '--name-only', parent)))
    const truth = touched.filter((name) => before.has(name))
    cases.push({ id, parent, index: cases.length, at: Number(seconds) * 1000, subject, truth })
    if (cases.length === most) break
  }
  return cases.filter(({ truth }) => truth.length > 0)
}

/**
 * The port over the tree of a commit; `move` goes to another commit.
 * @param {string} folder
 * @param {readonly string[]} logOptions
 * @param {string} head the newest commit that will be asked for
 */
export function pastSources(folder, logOptions, head) {
  /** What git prints for each commit: its records are the same whichever commit the log begins with. */
  const records = new Map(
    textOf(folder, 'log', ...logOptions, head)
      .split('\x1e')
      .slice(1)
      .map((record) => [record.slice(0, record.indexOf('\0')), record]),
  )
  const blobs = new Map()
  const cache = new Map()
  let now = { commit: '', files: [], byPath: new Map() }
  const filesBelow = (roots) => ({
    roots: roots.map((root) => ({ folder: root, prefix: '' })),
    list: async () => ({ files: now.files, isComplete: true }),
    read: async (path) => {
      const content = blobs.get(now.byPath.get(path)?.blobId)
      return content === undefined ? { refused: 'gone' } : { content }
    },
  })
  const imports = createImportIndex({ files: filesBelow(['/']) })
  const sources = {
    move(commit) {
      const files = piecesOf(textOf(folder, 'ls-tree', '-r', '-l', '-z', commit)).flatMap((line) => {
        const [, mode, blobId, size, path] = /^(\d+) \w+ (\w+) +(\S+)\t([^]*)$/.exec(line) ?? []
        return mode?.startsWith('100') ? [{ path, bytes: Number(size), mtimeMs: 0, blobId }] : []
      })
      now = { commit, files, byPath: new Map(files.map((file) => [file.path, file])) }
      readBlobs(files.filter(({ blobId, bytes }) => !blobs.has(blobId) && bytes <= LARGEST_BYTES))
    },
    access: {
      files: filesBelow,
      importNeighbours: async (_, path, signal) => importNeighbours(await imports.graph(signal), path),
      head: async () => now.commit,
      log: async () => {
        const ids = textOf(folder, 'rev-list', '--no-merges', '-n', String(MOST_COMMITS), now.commit).split('\n')
        return ids.flatMap((id) => (records.has(id) ? [`\x1e${records.get(id)}`] : [])).join('')
      },
      cache: {
        read: async (name) => (cache.has(name) ? { bytes: cache.get(name), version: '1' } : undefined),
        version: async (name) => (cache.has(name) ? '1' : undefined),
        // The index stays in memory, and each commit has its own log.
        write: async () => undefined,
      },
      pause: async () => undefined,
    },
  }
  const readBlobs = (files) => {
    if (files.length === 0) return
    const output = git(folder, ['cat-file', '--batch'], [...files.map(({ blobId }) => blobId), ''].join('\n'))
    for (let at = 0; at < output.length;) {
      const end = output.indexOf(10, at)
      const [blobId, , size] = output.toString('latin1', at, end).split(' ')
      const next = end + 1 + Number(size)
      blobs.set(blobId, output.subarray(end + 1, next))
      at = next + 1
    }
  }
  return sources
}
