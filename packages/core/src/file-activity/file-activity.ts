/**
 * What a session did with files: how often each was read, re-read without need, and edited, and how many tokens the
 * reads added. A fold over the log; the tools' names are in `file-tools`.
 */
import { objectOf } from '../json.ts'
import { textOfBlock, type ToolCallBlock, type ToolResultBlock } from '../messages.ts'
import { createPendingCalls } from '../pending-calls.ts'
import { tokensOfCharacters } from '../ports/usage-storage.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { fileOperationsOf, toolCallIn, type FileOperation } from './file-tools.ts'

/** What a session did with one file. */
export interface FileActivity {
  /** Relative to the workspace if inside it. */
  readonly path: string
  readonly reads: number
  /** Reads of content (the same part, or the whole file) that the session had already read and not edited since. */
  readonly rereads: number
  readonly edits: number
  /** Reads and edits whose result was an error; they are in no other figure. */
  readonly failures: number
  /** Tokens of all reads' results, estimated from their characters. */
  readonly readTokens: number
  readonly rereadTokens: number
  /** Times of the first and last use, ms; null if the log has none. */
  readonly firstAt: number | null
  readonly lastAt: number | null
}

/** The files of a session. */
export interface SessionFiles {
  /** Most tokens first, then by path. */
  readonly files: readonly FileActivity[]
  readonly rereads: number
  readonly rereadTokens: number
}

/** Collects file activity entry by entry. */
export interface FileActivityFold {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** The result for the entries so far; later steps don't change it. */
  result(): SessionFiles
}

interface Counted {
  path: string
  reads: number
  rereads: number
  edits: number
  failures: number
  readTokens: number
  rereadTokens: number
  firstAt: number | null
  lastAt: number | null
  /** Parts read since the last edit; '' means the whole file. */
  readonly known: Set<string>
}

interface Waiting {
  readonly operations: readonly FileOperation[]
  readonly at: number | null
}

/** A read that was counted, except for the tokens of its result. */
interface CountedRead {
  readonly file: Counted
  readonly isAgain: boolean
}

/** Creates an empty fold. Paths inside the folder `workspace` are returned relative to it. */
export const createFileActivity = (workspace?: string): FileActivityFold => new ActivityCounter(workspace)

class ActivityCounter implements FileActivityFold {
  readonly #workspace: string | undefined
  readonly #files = new Map<string, Counted>()
  /** Calls without a result yet. */
  readonly #waiting = createPendingCalls<Waiting>()
  /** Reads in the generic format, by tool and path: a message that names both has the result. */
  readonly #named = new Map<string, readonly CountedRead[]>()

  constructor(workspace: string | undefined) {
    this.#workspace = workspace
  }

  /**
   * Takes the session's next entry, in the order of the log. A call counts when its result comes, and never without
   * one; a call of the generic format, which has no id, counts at once. Other entries than messages don't count.
   */
  step(entry: LogEntry): void {
    if (entry.kind !== 'message') return
    this.#waiting.begin(entry.role)
    for (const block of entry.content) {
      if (block.type === 'tool_call') {
        // Also those of no file: one with the same id may follow.
        this.#waiting.add(block.id, { operations: fileOperationsOf(block), at: entry.at })
      } else if (block.type === 'tool_result') this.#takeResult(block)
      else {
        const call = toolCallIn(block)
        if (call !== undefined) this.#takeNamed(call, entry)
      }
    }
  }

  /** The files so far with the sums; those whose reads added the most tokens first, equal ones by path. */
  result(): SessionFiles {
    const counted = [...this.#files.values()].map(({ known: _known, ...file }): FileActivity => file)
    counted.sort((left, right) => right.readTokens - left.readTokens || (left.path < right.path ? -1 : 1))
    return {
      files: counted,
      rereads: counted.reduce((sum, file) => sum + file.rereads, 0),
      rereadTokens: counted.reduce((sum, file) => sum + file.rereadTokens, 0),
    }
  }

  /**
   * Counts a result's call, each of its files with an equal share of the tokens; as a failure of each if the result is
   * an error. Nothing if its call is not known.
   */
  #takeResult(result: ToolResultBlock): void {
    const call = this.#waiting.answer(result.callId)
    if (call === undefined) return
    const tokens = tokensOfCharacters(textOfBlock(result).length)
    // A call that reads several files gives one result: each is taken for an equal part of it.
    const share = call.operations.length === 0 ? 0 : Math.round(tokens / call.operations.length)
    for (const operation of call.operations) addTokens(this.#count(operation, call.at, result.isError === true), share)
  }

  /**
   * Takes a call in the generic format, which has no id and may have no result: it counts where it is made. A `tool`
   * message that names the same tool and path is its result and only adds its text's tokens, in full to each file read;
   * nothing if there was no such call.
   */
  #takeNamed(call: ToolCallBlock, { role, at, content }: MessageEntry): void {
    const operations = fileOperationsOf(call)
    const key = JSON.stringify([call.name, objectOf(call.input).path])
    if (role !== 'tool') {
      this.#named.set(
        key,
        operations.flatMap((operation) => this.#count(operation, at, false)),
      )
      return
    }
    const characters = content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0)
    addTokens(this.#named.get(key) ?? [], tokensOfCharacters(characters))
    this.#named.delete(key)
  }

  /**
   * Counts an operation; returns the read, for its tokens, as a list of one; an empty list for an edit or a failure. A
   * failed one counts as a failure only. A read is a reread if the same part, or the whole file, was read since the
   * last edit. `at` (ms) moves the times of the first and last use, also of a failure.
   */
  #count({ path, operation, part = '' }: FileOperation, at: number | null, failed: boolean): readonly CountedRead[] {
    const file = this.#fileOf(path)
    if (at !== null) {
      file.firstAt = file.firstAt === null ? at : Math.min(file.firstAt, at)
      file.lastAt = file.lastAt === null ? at : Math.max(file.lastAt, at)
    }
    if (failed) file.failures += 1
    else if (operation === 'edit') {
      file.edits += 1
      file.known.clear()
    } else {
      const isAgain = file.known.has(part) || file.known.has('')
      file.reads += 1
      if (isAgain) file.rereads += 1
      file.known.add(part)
      return [{ file, isAgain }]
    }
    return []
  }

  /** The counts of a file by its path below the workspace, made if there are none. */
  #fileOf(path: string): Counted {
    const name = relativePath(path, this.#workspace)
    const known = this.#files.get(name)
    if (known !== undefined) return known
    const file: Counted = {
      path: name,
      reads: 0,
      rereads: 0,
      edits: 0,
      failures: 0,
      readTokens: 0,
      rereadTokens: 0,
      firstAt: null,
      lastAt: null,
      known: new Set(),
    }
    this.#files.set(name, file)
    return file
  }
}

/** Adds tokens to each of these reads, and to the rereads where it was one. */
const addTokens = (reads: readonly CountedRead[], tokens: number): void => {
  for (const { file, isAgain } of reads) {
    file.readTokens += tokens
    if (isAgain) file.rereadTokens += tokens
  }
}

/**
 * What a whole log did with files. Paths inside `workspace` are returned relative to it. Empty lists for an empty log.
 */
export const fileActivity = (entries: readonly LogEntry[], workspace?: string): SessionFiles => {
  const fold = createFileActivity(workspace)
  for (const entry of entries) fold.step(entry)
  return fold.result()
}

/**
 * Normalises a path: `./a`, `a` and the absolute path inside the workspace become the same. Backslashes become `/`;
 * `..` is not resolved, and the disk is not accessed. An absolute path outside the workspace, or without one, stays.
 */
export const relativePath = (path: string, workspace: string | undefined): string => {
  const slashes = path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/{2,}/g, '/')
  const root = workspace?.replaceAll('\\', '/').replace(/\/+$/, '')
  return root !== undefined && slashes.startsWith(`${root}/`) ? slashes.slice(root.length + 1) : slashes
}
