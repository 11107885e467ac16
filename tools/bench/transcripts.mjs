// Input for the import benchmarks and checks: a folder of Claude Code transcripts of a wanted size, made of replicas
// (see replicas.mjs) of real sessions. The same seed and size give the same bytes.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { cacheFolder, dataFolder, samplesFolder } from './paths.mjs'
import { replica } from './replicas.mjs'

/** Increase it when the generator changes, so that folders cached by an earlier one are not used. */
const GENERATOR = 3
const MEGABYTE = 1_000_000

/**
 * @typedef {object} SourceFile
 * @property {string} path path below `projects/`, ids not yet replaced
 * @property {() => Buffer} read
 */
/** @typedef {{ key: string, files: SourceFile[] }} SourceSession a session with its subagents' files */

/**
 * @typedef {object} Input
 * @property {string} folder a folder as CLAUDE_CONFIG_DIR names it: it holds `projects`
 * @property {number} bytes
 * @property {number} files
 * @property {string} origin what it was made of, for people
 */

/**
 * Makes (or finds) a folder of at least `megabytes`. Whole sessions only, so it is a little more. A smaller folder
 * holds the first sessions of a larger one.
 * @param {number} megabytes
 * @param {{ seed?: string, log?: (text: string) => void }} [options]
 * @returns {Input | undefined} undefined where there is nothing to make it of
 */
export function transcripts(megabytes, { seed = 'cairn', log = () => undefined } = {}) {
  const { sessions, origin } = sourceSessions()
  if (sessions.length === 0) return undefined
  const folder = join(cacheFolder('transcripts'), `${megabytes}mb-${seed}-${GENERATOR}-${sessions.length}`)
  const projects = join(folder, 'projects')
  if (!existsSync(folder)) {
    log(`making ${megabytes} MB of transcripts…`)
    const fresh = `${folder}.${process.pid}.tmp`
    write(join(fresh, 'projects'), inRandomOrder(sessions, seed), megabytes * MEGABYTE, seed)
    try {
      renameSync(fresh, folder)
    } catch {
      // Another process has just made the same.
      rmSync(fresh, { recursive: true, force: true })
    }
  }
  const files = filesBelow(projects)
  return { folder, origin, files: files.length, bytes: files.reduce((sum, file) => sum + statSync(file).size, 0) }
}

/** Every file below a folder, sorted. Absolute where the folder is. Throws where it is not there. */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Writes copies of the sessions, each round with other ids, until there are so many bytes. */
function write(projects, sessions, wanted, seed) {
  let written = 0
  for (let round = 0; written < wanted; round += 1) {
    const other = replica(`${seed}:${round}`, round)
    for (const session of sessions) {
      if (written >= wanted) return
      for (const { path, read } of session.files) {
        const target = join(projects, other.ids(path))
        // As latin1 the bytes of a damaged line would survive, but words of other scripts would not be seen.
        const text = read()
          .toString('utf8')
          .split('\n')
          .map((line) => (line === '' ? line : other.line(line)))
          .join('\n')
        mkdirSync(dirname(target), { recursive: true })
        writeFileSync(target, text)
        written += Buffer.byteLength(text)
      }
    }
  }
}

/** Large and small sessions mixed, so that a prefix is like the whole. */
function inRandomOrder(sessions, seed) {
  const rank = (session) => createHash('sha256').update(`${seed}\0${session.key}`).digest('hex')
  return [...sessions].sort((left, right) => (rank(left) < rank(right) ? -1 : 1))
}

/** @returns {{ sessions: SourceSession[], origin: string }} */
function sourceSessions() {
  const data = dataFolder()
  if (data === undefined) return { sessions: foundIn(samplesFolder), origin: 'replicas of the bundled samples' }
  return {
    sessions: [...trajectories(join(data, 'trajectories')), ...foundIn(join(data, 'transcripts', 'claude'))],
    origin: 'replicas of real sessions: other ids, times and a quarter of the words, same structure and lengths',
  }
}

/** Single sessions, compressed, each read only when asked for. Only those in Claude Code's format, by the manifest. */
function trajectories(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  return manifest
    .filter(({ format }) => format === 'claude')
    .map(({ file, repo }) => {
      const read = () => gunzipSync(readFileSync(join(folder, file)))
      const session = sessionIdOf(read()) ?? file
      return { key: file, files: [{ path: `-work-${repo.replace(/[^A-Za-z0-9]+/g, '-')}/${session}.jsonl`, read }] }
    })
}

/** Sessions in a folder that is laid out as Claude Code's own. */
function foundIn(folder) {
  const projects = [folder, ...(existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [])]
    .map((parent) => join(parent, 'projects'))
    .find(existsSync)
  if (projects === undefined) return []
  const bySession = new Map()
  for (const file of filesBelow(projects).filter((path) => /\.jsonl(\.gz)?$/.test(path))) {
    const path = relative(projects, file)
    // The session's own file, and what lies in the folder of its name.
    const key = path
      .split(/[\\/]/)
      .slice(0, 2)
      .join('/')
      .replace(/\.jsonl(\.gz)?$/, '')
    const session = bySession.get(key) ?? { key, files: [] }
    session.files.push({
      path: path.replace(/\.gz$/, ''),
      read: () => (file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file)),
    })
    bySession.set(key, session)
  }
  return [...bySession.values()]
}

/** The id of a transcript's session; undefined where its beginning has none. */
const sessionIdOf = (content) => /"sessionId":"([0-9a-f-]{36})"/.exec(content.toString('utf8', 0, 200_000))?.[1]
