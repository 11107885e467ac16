/** For the importers' tests: parses lines as an import does, without files and storage. */
import { createHasher } from '../node/hasher.ts'
import type { JsonValue } from '../json.ts'
import type { EntryWrite } from '../ports/session-storage.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import type { FileParser, Importer, ParsedLine } from '../importers/importer.ts'

/** The hasher that parsers under test are given. */
export const hasher = createHasher()

/** A parser of the importer for a file of that path. */
export const parserOf = (
  importer: Importer,
  path: string,
  options: { readonly state?: JsonValue; readonly context?: JsonValue } = {},
): FileParser => importer.parser({ path, hasher, ...options })

/** What each of the lines means, in order; `firstLine` is the number of the first. Lines are taken through JSON once. */
export const parseAll = (parser: FileParser, lines: readonly unknown[], firstLine = 1): readonly ParsedLine[] =>
  lines.map((line, index) => {
    const text = JSON.stringify(line)
    return parser.parse(JSON.parse(text) as JsonValue, {
      number: firstLine + index,
      identity: () => `h:${hasher.sha256(text).slice(0, 16)}`,
    })
  })

/** The entries of parsed lines, in order. Requests are with them. */
export const writesOf = (lines: readonly ParsedLine[]): readonly EntryWrite[] => lines.flatMap(({ entries }) => entries)

/** The requests of parsed lines, in order. */
export const requestsOf = (lines: readonly ParsedLine[]): readonly RequestFact[] =>
  writesOf(lines).flatMap(({ request }) => (request === undefined ? [] : [request]))
