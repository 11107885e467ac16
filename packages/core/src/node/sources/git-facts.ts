/** The GitFacts port: git on the user's repository, with nothing that the repository could name as a program to run. */
import { spawn } from 'node:child_process'
import type { GitAnswer, GitFacts } from '../../ports/git-facts.ts'
import { readingEnvironment } from '../checkpoints/git-process.ts'
import { codeOf } from '../system-reason.ts'

/** A repository's settings may name programs; these switch them off. */
const SAFE = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.pager=cat',
  '-c',
  'log.showSignature=false',
  // Names as they are, not as C writes them.
  '-c',
  'core.quotePath=false',
  '--no-pager',
] as const
const DIFF = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames'] as const
const GIT_TIMEOUT_MS = 20_000
const COMMITS_SHOWN = 10

/**
 * What git says of the repository that a folder is in, asked again at each call and cut to the bytes that are asked
 * for. None rejects: outside of a repository, and without git, `refused` says so. `changes` are the diff of tracked
 * files against the last commit, and the names of new files; `commit` is one with its diff; `branch` the branch and its
 * last 10 commits.
 */
export const createGitFacts = (folder: string): GitFacts => ({
  /** The diff of tracked files against the last commit (of the index before the first), then the names of new files. */
  changes: async (maxBytes) => {
    const against = await ask(folder, ['rev-parse', '--verify', '--quiet', 'HEAD'], 200)
    // Without a commit it says no; for anything else it says why.
    if ('refused' in against && against.isNo !== true) return { refused: against.refused }
    const base = 'text' in against ? ['HEAD'] : ['--cached']
    return joined([await ask(folder, ['diff', ...DIFF, ...base, '--'], maxBytes), await newFiles(folder, maxBytes)])
  },
  /** One commit with its message, its files and its diff; refused where the revision names none. */
  commit: async (revision, maxBytes) => {
    // An option can't come in here, and what is no commit is told apart from a git that fails.
    const hash = await ask(
      folder,
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
      200,
    )
    if ('refused' in hash) return { refused: hash.isNo === true ? 'there is no such commit' : hash.refused }
    return ask(folder, ['show', ...DIFF, '--stat', '--patch', '--format=medium', hash.text.trim(), '--'], maxBytes)
  },
  /**
   * The first line of git's status (branch, upstream, how far ahead or behind), then the last 10 commits, a line each.
   */
  branch: async (maxBytes) => {
    const status = await ask(folder, ['status', '--branch', '--porcelain=v1', '--untracked-files=no'], maxBytes)
    if ('refused' in status) return status
    const log = await ask(folder, ['log', '--oneline', '--no-decorate', `-n${COMMITS_SHOWN}`, '--'], maxBytes)
    const [head = ''] = status.text.split('\n')
    return joined([
      { text: `${head.replace(/^## /, '')}\n`, isCut: false },
      'text' in log ? log : { text: '', isCut: false },
    ])
  },
})

/** The paths that git neither has nor ignores, under a heading; '' if there are none. */
const newFiles = async (folder: string, maxBytes: number): Promise<Answer> => {
  const answer = await ask(folder, ['ls-files', '--others', '--exclude-standard'], maxBytes)
  if ('refused' in answer || answer.text === '') return answer
  return { ...answer, text: `New files, not in git yet:\n${answer.text}` }
}

/** The texts one after the other, without empty ones; refused as the first of them that is. */
const joined = (answers: readonly Answer[]): GitAnswer => {
  const texts: string[] = []
  let isCut = false
  for (const answer of answers) {
    if ('refused' in answer) return { refused: answer.refused }
    if (answer.text !== '') texts.push(answer.text)
    isCut ||= answer.isCut
  }
  return { text: texts.join('\n'), isCut }
}

/** `isNo`: git ran and ended with 1, as it does for what is not there. */
export type Answer =
  Extract<GitAnswer, { readonly text: string }> | { readonly refused: string; readonly isNo?: boolean }

/**
 * Runs git to its end, until it has said `maxBytes`, or for 20 seconds; `isCut` says that there was more: the text then
 * ends with a whole line. It changes nothing. Never rejects: where git fails, `refused` is the end of a sentence.
 */
export const ask = (folder: string, options: readonly string[], maxBytes: number): Promise<Answer> =>
  new Promise((resolve) => {
    const child = spawn('git', [...SAFE, ...options], {
      cwd: folder,
      env: readingEnvironment(),
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: GIT_TIMEOUT_MS,
    })
    const chunks: Buffer[] = []
    let length = 0
    let error = ''
    let isCut = false
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length <= maxBytes || isCut) return
      isCut = true
      child.kill()
    })
    child.stderr.on('data', (chunk: Buffer) => (error = `${error}${chunk.toString('utf8')}`.slice(0, 2_000)))
    child.on('error', (cause) =>
      resolve({ refused: codeOf(cause) === 'ENOENT' ? 'git is not installed' : 'git could not be started' }),
    )
    child.on('close', (code, signal) => {
      const text = Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8')
      if (code === 0 || isCut) resolve({ text: isCut ? wholeLines(text) : text, isCut })
      else if (signal !== null) resolve({ refused: `git took longer than ${GIT_TIMEOUT_MS / 1000} seconds` })
      else if (/not a git repository/.test(error)) resolve({ refused: 'this folder is in no git repository' })
      else resolve({ refused: error.trim().split('\n').at(-1) || 'git has nothing to say', isNo: code === 1 })
    })
  })

/** Without the line, or half a character, that the limit cut. */
const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1)
