/** Calls of tools that led nowhere: refused by the user, failed edits, the same again, or files that were known. */
import { fileOperationsOf } from '../file-activity/file-tools.ts'
import type { JsonValue } from '../json.ts'
import type { Chain, ChainResult } from './chains.ts'

export type CallLabel = 'rejected' | 'failed-edit' | 'failed-again' | 'identical' | 're-read'

/** What agents answer a call with that the user refused. */
const REFUSED =
  /^\s*(?:the user doesn't want to (?:proceed|take)|(?:error: )?(?:the )?user (?:has )?(?:rejected|denied|declined|refused|cancelled)|(?:command |call |tool use )?rejected by (?:the )?user)/i

/** A numbered line as agents print a file. */
const NUMBERED_LINE = /^\s*(\d+)(?:→|\t|: | ?\| ?)(.*)$/

/**
 * The labels of calls by their results, in order; a call has one label, the first that fits, or none (then it is not in
 * the map). `identical`: the same call had the same result the last time in the same segment, reads of files excepted;
 * `re-read`: every numbered line was known there. `segments`: of each request, by its index.
 */
export const labelsOf = ({ results }: Chain, segments: readonly number[]): ReadonlyMap<ChainResult, CallLabel> => {
  const labels = new Map<ChainResult, CallLabel>()
  const failed = new Set<string>()
  const answers = new Map<string, string>()
  const knownLines = createKnownLines()
  for (const result of results) {
    const segment = segments[result.calledBy] ?? 0
    const operations = fileOperationsOf(result.call)
    const [operation] = operations
    const call = callKey(result.call.name, result.call.input)
    const isReRead =
      operations.length === 1 &&
      operation?.operation === 'read' &&
      knownLines.take(segment, operation.path, result.text)
    const answered = `${segment} ${call}`
    const label = labelOf(result, {
      isEdit: operations.some((each) => each.operation === 'edit'),
      isReRead,
      failedBefore: failed.has(call),
      isIdentical: operation?.operation !== 'read' && answers.get(answered) === result.text,
    })
    if (label !== undefined) labels.set(result, label)
    if (result.block.isError === true) failed.add(call)
    answers.set(answered, result.text)
  }
  return labels
}

interface Known {
  readonly isEdit: boolean
  readonly isReRead: boolean
  readonly failedBefore: boolean
  readonly isIdentical: boolean
}

/**
 * What was wasted about a call, the first that fits: of a failed one `rejected` (the user refused it), `failed-edit` or
 * `failed-again`; of any `identical` or `re-read`. Undefined if nothing was.
 */
const labelOf = ({ block, text }: ChainResult, known: Known): CallLabel | undefined => {
  if (block.isError === true) {
    if (REFUSED.test(text)) return 'rejected'
    if (known.isEdit) return 'failed-edit'
    if (known.failedBefore) return 'failed-again'
  }
  if (known.isIdentical) return 'identical'
  return known.isReRead ? 're-read' : undefined
}

const callKey = (name: string, input: JsonValue): string => `${name} ${JSON.stringify(input)}`

/** The numbered lines that a segment has of each file, by number and text; none at first. */
const createKnownLines = () => {
  const known = new Map<string, Set<string>>()
  return {
    /** Takes in what a read returned; whether all of it was known. A text without numbered lines never is. */
    take: (segment: number, path: string, text: string): boolean => {
      const key = `${segment} ${path}`
      const lines = known.get(key) ?? new Set<string>()
      known.set(key, lines)
      let isKnown = false
      let isNew = false
      for (const line of text.split('\n')) {
        const found = NUMBERED_LINE.exec(line)
        if (found === null) continue
        const numbered = `${found[1]} ${found[2]}`
        if (lines.has(numbered)) isKnown = true
        else isNew = true
        lines.add(numbered)
      }
      return isKnown && !isNew
    },
  }
}

/**
 * The part of each request, 0 … 1, by its index, that no labelled call has: what is left for all that it carries. 1
 * for a request without labelled calls.
 */
export const unlabelledShares = (
  { requests }: Chain,
  labels: ReadonlyMap<ChainResult, CallLabel>,
): readonly number[] => {
  const labelled = new Map<number, number>()
  for (const { calledBy } of labels.keys()) labelled.set(calledBy, (labelled.get(calledBy) ?? 0) + 1)
  return requests.map(({ calls }, index) => {
    const count = labelled.get(index) ?? 0
    return count === 0 ? 1 : Math.max(0, 1 - count / calls.length)
  })
}
