/** `search_files`: lines that match an expression, in the workspace's files. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AgentTool, ToolOutcome } from '../../agent/agent-tool.ts'
import { plainText } from '../../agent/tools/line-ends.ts'
import { pathPattern } from '../../agent/tools/path-pattern.ts'
import { createSearchReport, MATCHES_A_FILE, MOST_MATCHES, type SearchReport } from '../../agent/tools/search-report.ts'
import { flagOf, optionalNumber, optionalText, refused, textOf } from '../../agent/tools/tool-input.ts'
import { CairnError, messageOf } from '../../errors.ts'
import { shownValue } from '../../input.ts'
import { lossyText } from './file-text.ts'
import { readRegular } from './open-regular.ts'
import { failure, pathFacts, textOutcome, type ToolParts } from './tool-parts.ts'
import { searchWithRipgrep, type SearchQuery } from './ripgrep.ts'
import { createLineScanner } from './scan-lines.ts'
import { targetFiles, type TargetFile } from './target-files.ts'
import type { FoundPath } from './workspace-paths.ts'

const LARGEST_FILE = 8_000_000
const MOST_AROUND = 10
/** Characters that are searched at a time. */
const BATCH_CHARACTERS = 500_000
const FILES_A_BATCH = 64

interface Search extends SearchQuery {
  readonly found: FoundPath
  readonly wanted: ((path: string) => boolean) | undefined
  readonly expression: RegExp
}

/**
 * The tool `search_files`, which only reads. `ripgrep`: the program's name or path, used where it can be started;
 * undefined: never used. Refuses an empty pattern, one with a line break, and one that is no regular expression.
 */
export const searchFilesTool = (parts: ToolParts, ripgrep: string | undefined): AgentTool => ({
  definition: {
    name: 'search_files',
    description: `Searches files line by line for a regular expression and gives the lines with their numbers. Files that ignore files leave out, and binary ones, are not searched. At most ${MOST_MATCHES} matching lines.`,
    inputSchema: {
      type: 'object',
      properties: {
        pattern: { type: 'string', description: 'A regular expression, matched within a line.' },
        path: { type: 'string', description: 'A folder or file. Default: the whole workspace.' },
        files: { type: 'string', description: 'Only files that match, such as *.ts or src/**/*.{ts,tsx}.' },
        literal: { type: 'boolean', description: 'The pattern is plain text. Default: false.' },
        ignore_case: { type: 'boolean', description: 'Default: false.' },
        context_lines: { type: 'integer', minimum: 0, maximum: MOST_AROUND, description: 'Lines around. Default: 0.' },
      },
      required: ['pattern'],
    },
  },
  /** Checks the call: by default all files of the workspace, without lines around a match. Searches when it is run. */
  prepare: async (input, { signal }) => {
    const pattern = textOf(input, 'pattern')
    if (pattern === '') throw refused('The pattern is empty; list_files shows all files.')
    if (/[\n\r]/.test(pattern)) throw refused('The pattern has a line break, and files are searched line by line.')
    const isLiteral = flagOf(input, 'literal')
    const ignoresCase = flagOf(input, 'ignore_case')
    const around = optionalNumber(input, 'context_lines', { least: 0, most: MOST_AROUND }) ?? 0
    const given = optionalText(input, 'files')
    const wanted = given === undefined || given === '' ? undefined : pathPattern(given)
    const expression = expressionOf(pattern, isLiteral, ignoresCase)
    const found = await parts.paths.locate(optionalText(input, 'path') ?? '.', { isFolder: true })
    const search = {
      pattern,
      isLiteral,
      ignoresCase,
      around,
      most: MATCHES_A_FILE,
      largest: LARGEST_FILE,
      found,
      wanted,
      expression,
    }
    return {
      effect: 'none',
      title: `search ${shownValue(pattern)} in ${found.shown}`,
      ...pathFacts(found),
      run: () => runSearch(parts, search, ripgrep, signal),
    }
  },
})

const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g

/**
 * The expression of JavaScript; with the flag `u` unless that makes it invalid, as for escapes of characters that need
 * none. Throws a refusal for what is no expression. `isLiteral`: the pattern is plain text.
 */
const expressionOf = (pattern: string, isLiteral: boolean, ignoresCase: boolean): RegExp => {
  const source = isLiteral ? pattern.replace(SPECIAL, '\\$&') : pattern
  const flags = ignoresCase ? 'i' : ''
  try {
    return new RegExp(source, `${flags}u`)
  } catch {
    // Escapes of characters that need none are errors there.
  }
  try {
    return new RegExp(source, flags)
  } catch (error) {
    const why = messageOf(error).split(': ').at(-1) ?? ''
    throw refused(
      `The pattern ${shownValue(pattern)} is no regular expression (${why}); set literal to search for it as text.`,
    )
  }
}

/**
 * Searches the files with ripgrep if there is one that knows the expression, else by itself. The outcome is the
 * matching lines, or says that there is no file to search. What `targetFiles` refuses, and an expression that is too
 * slow, is a failure as the outcome; aborting rejects.
 */
const runSearch = async (
  parts: ToolParts,
  search: Search,
  ripgrep: string | undefined,
  signal: AbortSignal,
): Promise<ToolOutcome> => {
  try {
    const { files, isComplete } = await targetFiles(parts, search.found, signal)
    const { wanted } = search
    const searched = wanted === undefined ? files : files.filter(({ below }) => wanted(below))
    if (searched.length === 0) return textOutcome('(No file to search.)')
    const more = isComplete ? '' : '\n(The workspace has more files than were searched.)'
    if (ripgrep !== undefined) {
      const report = createSearchReport()
      const end = await searchWithRipgrep(ripgrep, searched, search, (file) => report.add(file), signal)
      if (end === 'done') return textOutcome(report.text() + more)
    }
    return await scanFiles(searched, search, more, signal)
  } catch (error) {
    if (CairnError.is(error)) return failure(error.message)
    throw error
  }
}

/**
 * Searches batch by batch, others getting a turn between them, until the report is full; `more` is added to its text.
 * The outcome is a failure if the expression is too slow. Rejects with the signal's reason.
 */
const scanFiles = async (
  files: readonly TargetFile[],
  search: Search,
  more: string,
  signal: AbortSignal,
): Promise<ToolOutcome> => {
  const report = createSearchReport()
  const scanner = createLineScanner(search.expression, search.around)
  for (const batch of batchesOf(files)) {
    const found = scanner.scan(
      batch.map(({ text }) => text),
      search.most,
    )
    if (found === undefined)
      return failure(
        tooSlow(
          batch.map(({ file }) => file),
          report,
        ),
      )
    const wantsMore = found.every((lines, index) => report.add({ path: batch[index]?.file.shown ?? '', lines }))
    if (!wantsMore) break
    await nextTurn()
    signal.throwIfAborted()
  }
  return textOutcome(report.text() + more)
}

const tooSlow = ([file]: readonly TargetFile[], report: SearchReport): string =>
  `The pattern takes too long and was stopped, at ${file?.shown ?? 'the first file'} or behind it: it tries too many ways to match. Make it simpler, without a repetition inside of a repetition. Found before:\n${report.text()}`

/**
 * Files with their texts (without byte order mark, `\r\n` as `\n`), in batches; files that can't be read, are binary or
 * too large are left out.
 */
function* batchesOf(
  files: readonly TargetFile[],
): Generator<readonly { readonly file: TargetFile; readonly text: string }[]> {
  let [batch, characters]: [{ readonly file: TargetFile; readonly text: string }[], number] = [[], 0]
  for (const file of files) {
    const read = readRegular(file.real, LARGEST_FILE)
    const text = 'problem' in read ? undefined : lossyText(read.content)
    if (text === undefined || 'problem' in text) continue
    batch.push({ file, text: plainText(text.text).text })
    characters += text.text.length
    if (characters < BATCH_CHARACTERS && batch.length < FILES_A_BATCH) continue
    yield batch
    ;[batch, characters] = [[], 0]
  }
  if (batch.length > 0) yield batch
}
