/**
 * When a result was used last: the last request of its segment that edits its file, or names an identifier that results
 * brought in and few have. What the model only thought is not looked at, since most agents don't record it.
 */
import { fileOperationsOf } from '../file-activity/file-tools.ts'
import { textOfBlock, textOfJson } from '../messages.ts'
import type { Chain, ChainRequest, ChainResult } from './chains.ts'

const IDENTIFIER = /[A-Za-z_$][\w$]{5,}/g
/** A name that more results have than these tells nothing of one of them. */
const MOST_RESULTS = 5

export interface Uses {
  /** The request of the result's segment that used it last, by index; undefined when none did. */
  lastUse(result: ChainResult, segmentEnd: number): number | undefined
}

/**
 * Finds the uses of a chain's results; reads each text once. `lastUse` gives the last request, up to the segment's end,
 * that edits the result's file or writes an identifier that the result has and few others; undefined if none does.
 */
export const usesOf = ({ requests, results }: Chain): Uses => {
  const identifiers = new Map(results.map((result) => [result, identifiersIn(result.text)]))
  const namesOf = (result: ChainResult): ReadonlySet<string> => identifiers.get(result) ?? new Set()
  const namedBy = namings(requests, results, namesOf)
  const editedBy = edits(requests)
  return {
    lastUse: (result, segmentEnd) => {
      const uses = [
        ...[...namesOf(result)].map((name) => namedBy.get(name)),
        ...fileOperationsOf(result.call).map(({ path }) => editedBy.get(path)),
      ]
      let last = -1
      for (const indexes of uses) if (indexes !== undefined) last = Math.max(last, lastUpTo(indexes, segmentEnd))
      return last >= result.sentWith ? last : undefined
    },
  }
}

/**
 * By identifier, the requests that name it, by index, rising. Only of identifiers that a result had before the model
 * wrote them, and that at most `MOST_RESULTS` results have. `results` are in the order of `sentWith`.
 */
const namings = (
  requests: readonly ChainRequest[],
  results: readonly ChainResult[],
  namesOf: (result: ChainResult) => ReadonlySet<string>,
): ReadonlyMap<string, readonly number[]> => {
  const counts = new Map<string, number>()
  for (const result of results) for (const name of namesOf(result)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const introduced = new Set<string>()
  const written = new Set<string>()
  const namedBy = new Map<string, number[]>()
  let next = 0
  for (const request of requests) {
    for (; next < results.length; next++) {
      const result = results[next]
      if (result === undefined || result.sentWith > request.index) break
      for (const name of namesOf(result)) if (!written.has(name)) introduced.add(name)
    }
    for (const name of identifiersIn(replyText(request))) {
      written.add(name)
      if (introduced.has(name) && (counts.get(name) ?? 0) <= MOST_RESULTS) push(namedBy, name, request.index)
    }
  }
  return namedBy
}

/** By path, the requests that edit the file, by index, rising. */
const edits = (requests: readonly ChainRequest[]): ReadonlyMap<string, readonly number[]> => {
  const editedBy = new Map<string, number[]>()
  for (const { calls, index } of requests)
    for (const { path, operation } of calls.flatMap(fileOperationsOf))
      if (operation === 'edit') push(editedBy, path, index)
  return editedBy
}

const identifiersIn = (text: string): ReadonlySet<string> => new Set(text.match(IDENTIFIER))

const replyText = ({ reply }: ChainRequest): string =>
  reply.map((block) => (block.type === 'tool_call' ? textOfJson(block.input) : textOfBlock(block))).join('\n')

/** Adds an index to the list of a key. */
const push = (lists: Map<string, number[]>, key: string, index: number): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [index])
  else list.push(index)
}

/** The largest of rising numbers that is at most `limit`; −1 when there is none. */
const lastUpTo = (rising: readonly number[], limit: number): number => {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rising[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return rising[low - 1] ?? -1
}
