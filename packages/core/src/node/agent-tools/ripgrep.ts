/** Searches files with ripgrep, where it is installed. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { FoundFile, FoundLine } from '../../agent/tools/search-report.ts'
import { arrayOf, objectOf, parseJsonObject, stringOf, type JsonObject } from '../../json.ts'
import type { TargetFile } from './target-files.ts'

export interface SearchQuery {
  readonly pattern: string
  readonly isLiteral: boolean
  readonly ignoresCase: boolean
  readonly around: number
  /** Matching lines of one file. */
  readonly most: number
  /** Larger files are left out, bytes. */
  readonly largest: number
}

/** `unavailable`: not installed, or ended before its time; `unsupported`: it does not take this expression, or failed. */
export type RipgrepEnd = 'done' | 'unavailable' | 'unsupported'

/** Its exit code where nothing matches. */
const NOTHING_FOUND = 1

/** Characters of arguments that every system takes. */
const ARGUMENTS_LENGTH = process.platform === 'win32' ? 24_000 : 100_000

/**
 * Searches files in their order, as far as `onFile` wants more (it returns false when it has enough); resolves to
 * `done`, or to why ripgrep can't do it, when `onFile` may have been called already. The files are given one by one, so
 * no ignore file or setting of ripgrep's counts. Rejects with the signal's reason.
 */
export const searchWithRipgrep = async (
  program: string,
  files: readonly TargetFile[],
  query: SearchQuery,
  onFile: (file: FoundFile) => boolean,
  signal: AbortSignal,
): Promise<RipgrepEnd> => {
  for (const batch of batchesOf(files)) {
    const end = await searchBatch(program, batch, query, onFile, signal)
    signal.throwIfAborted()
    if (end === 'enough') return 'done'
    if (end !== 'done') return end
  }
  return 'done'
}

/** Splits the files so that their paths fit into one command line; order stays. */
function* batchesOf(files: readonly TargetFile[]): Generator<readonly TargetFile[]> {
  let [batch, length]: [TargetFile[], number] = [[], 0]
  for (const file of files) {
    if (length + file.real.length > ARGUMENTS_LENGTH && batch.length > 0) {
      yield batch
      ;[batch, length] = [[], 0]
    }
    batch.push(file)
    length += file.real.length + 1
  }
  if (batch.length > 0) yield batch
}

/**
 * Arguments of ripgrep before the files. Its own settings and ignore files don't count, as the files were chosen
 * already. At most `most` matching lines per file; files sorted by path.
 */
const optionsOf = ({ pattern, isLiteral, ignoresCase, around, most, largest }: SearchQuery): readonly string[] => [
  '--no-config',
  '--json',
  '--no-ignore',
  '--no-messages',
  '--crlf',
  '--sort=path',
  `--max-count=${most}`,
  `--max-filesize=${largest}`,
  `--context=${around}`,
  ...(isLiteral ? ['--fixed-strings'] : []),
  ...(ignoresCase ? ['--ignore-case'] : ['--case-sensitive']),
  `--regexp=${pattern}`,
  '--',
]

/**
 * Searches a batch, giving each file's lines to `onFile` in order until it returns false: `enough`. Binary files are
 * left out. `unsupported` is a bad expression or a file that can't be read, `unavailable` a program that does not
 * start, or was stopped by the signal. Never rejects.
 */
const searchBatch = (
  program: string,
  batch: readonly TargetFile[],
  query: SearchQuery,
  onFile: (file: FoundFile) => boolean,
  signal: AbortSignal,
): Promise<RipgrepEnd | 'enough'> =>
  new Promise((resolve) => {
    const shown = new Map(batch.map(({ real, shown: name }) => [real, name]))
    const child = spawn(program, [...optionsOf(query), ...batch.map(({ real }) => real)], {
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
      signal,
    })
    let [isEnough, lines]: [boolean, FoundLine[]] = [false, []]
    let end: RipgrepEnd = 'done'
    child.on('error', () => {
      end = 'unavailable'
      if (child.pid === undefined) resolve(end)
    })
    const reader = createInterface({ input: child.stdout, crlfDelay: Infinity })
    reader.on('line', (text) => {
      if (isEnough) return
      const { type, data } = parseJsonObject(text)
      const facts = objectOf(data)
      if (type === 'match' || type === 'context') lines.push(lineOf(facts, type === 'match'))
      if (type !== 'end') return
      const path = shown.get(textOf(facts.path))
      // A binary file ends where that shows; its lines are none.
      if (path !== undefined && facts.binary_offset === null) isEnough = !onFile({ path, lines })
      lines = []
      if (isEnough) child.kill()
    })
    child.on('close', (code) => {
      reader.close()
      if (isEnough) resolve('enough')
      else if (end !== 'done' || code === 0 || code === NOTHING_FOUND) resolve(end)
      // A bad expression, or a file that could not be read: the latter still says what it found. Else it was ended early.
      else resolve(code === 2 ? 'unsupported' : 'unavailable')
    })
  })

/** The text of ripgrep's `text` or base64 `bytes`; '' without either. */
const textOf = (value: unknown): string => {
  const { text, bytes } = objectOf(value)
  return stringOf(text) ?? Buffer.from(stringOf(bytes) ?? '', 'base64').toString('utf8')
}

/**
 * A line of ripgrep's report, without its line end; `column`, the start of the first match, is in UTF-16 units from 0,
 * only for matches.
 */
const lineOf = (facts: JsonObject, isMatch: boolean): FoundLine => {
  const text = textOf(facts.lines).replace(/\r?\n$/, '')
  const number = typeof facts.line_number === 'number' ? facts.line_number : 0
  const [first] = arrayOf(facts.submatches)
  const start = objectOf(first).start
  if (!isMatch || typeof start !== 'number') return { number, text, isMatch }
  return { number, text, isMatch, column: Buffer.from(text).subarray(0, start).toString('utf8').length }
}
