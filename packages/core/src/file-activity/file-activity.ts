/**
 * What a session did with files: how often each was read, read again without need, and edited, and what
 * the repetitions put into the context. A fold over the log; the tools' names are in `file-tools`.
 */
import { objectOf } from '../json.ts'
import { textOfBlock, type ToolCallBlock, type ToolResultBlock } from '../messages.ts'
import { tokensOfCharacters } from '../ports/usage-storage.ts'
import type { LogEntry, MessageEntry } from '../session-log.ts'
import { fileOperationsOf, toolCallIn, type FileOperation } from './file-tools.ts'

/** What a session did with one file. */
export interface FileActivity {
  /** Relative to the workspace where it lies inside. */
  readonly path: string
  readonly reads: number
  /** Reads of what the session had read before (the same part, or all) and not edited since. */
  readonly rereads: number
  readonly edits: number
  /** Reads and edits whose result was an error; in no other figure. */
  readonly failures: number
  /** Tokens of all reads' results, estimated from their characters. */
  readonly readTokens: number
  readonly rereadTokens: number
  /** Time of the first and last use, ms; null where the log has none. */
  readonly firstAt: number | null
  readonly lastAt: number | null
}

/** The files of a session. */
export interface SessionFiles {
  /** What took most of the context first, then by path. */
  readonly files: readonly FileActivity[]
  readonly rereads: number
  readonly rereadTokens: number
}

/** Collects file activity entry by entry. */
export interface FileActivityFold {
  /** Takes the log's next entry. */
  step(entry: LogEntry): void
  /** What the entries so far did with files; later steps don't change it. */
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
  /** Parts read since the last edit; '' is the whole. */
  readonly known: Set<string>
}

interface Waiting {
  readonly operations: readonly FileOperation[]
  readonly at: number | null
}

/** A read that is counted, but for the tokens of its result. */
interface CountedRead {
  readonly file: Counted
  readonly isAgain: boolean
}

/** An empty fold. Paths are given relative to `workspace`, a folder, where they lie inside of it. */
export const createFileActivity = (workspace?: string): FileActivityFold => new ActivityCounter(workspace)

class ActivityCounter implements FileActivityFold {
  readonly #workspace: string | undefined
  readonly #files = new Map<string, Counted>()
  /** Calls without a result yet, by id. */
  readonly #waiting = new Map<string, Waiting>()
  /** Reads of the generic format, by tool and path: a message that names both holds the result. */
  readonly #named = new Map<string, readonly CountedRead[]>()

  constructor(workspace: string | undefined) {
    this.#workspace = workspace
  }

  step(entry: LogEntry): void {
    if (entry.kind !== 'message') return
    for (const block of entry.content) {
      if (block.type === 'tool_call') {
        const operations = fileOperationsOf(block)
        if (operations.length > 0) this.#waiting.set(block.id, { operations, at: entry.at })
      } else if (block.type === 'tool_result') this.#takeResult(block)
      else {
        const call = toolCallIn(block)
        if (call !== undefined) this.#takeNamed(call, entry)
      }
    }
  }

  result(): SessionFiles {
    const counted = [...this.#files.values()].map(({ known: _known, ...file }): FileActivity => file)
    counted.sort((left, right) => right.readTokens - left.readTokens || (left.path < right.path ? -1 : 1))
    return {
      files: counted,
      rereads: counted.reduce((sum, file) => sum + file.rereads, 0),
      rereadTokens: counted.reduce((sum, file) => sum + file.rereadTokens, 0),
    }
  }

  #takeResult(result: ToolResultBlock): void {
    const call = this.#waiting.get(result.callId)
    if (call === undefined) return
    this.#waiting.delete(result.callId)
    const tokens = tokensOfCharacters(textOfBlock(result).length)
    // A call that reads several files gives one result: each is taken for an equal part of it.
    const share = call.operations.length === 0 ? 0 : Math.round(tokens / call.operations.length)
    for (const operation of call.operations) addTokens(this.#count(operation, call.at, result.isError === true), share)
  }

  /** A call of the generic format has no id and may have no result, so it counts where it is made. */
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

  /** Counts an operation; returns the read, if it was one. */
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

const addTokens = (reads: readonly CountedRead[], tokens: number): void => {
  for (const { file, isAgain } of reads) {
    file.readTokens += tokens
    if (isAgain) file.rereadTokens += tokens
  }
}

/**
 * What a whole log did with files; paths are given relative to `workspace` where they lie inside of it. Empty lists for
 * an empty log.
 */
export const fileActivity = (entries: readonly LogEntry[], workspace?: string): SessionFiles => {
  const fold = createFileActivity(workspace)
  for (const entry of entries) fold.step(entry)
  return fold.result()
}

/**
 * One name for a file: `./a`, `a` and the absolute path inside the workspace are the same. Slashes are turned to `/`;
 * `..` is not resolved, and the disk is not looked at.
 */
export const relativePath = (path: string, workspace: string | undefined): string => {
  const slashes = path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/{2,}/g, '/')
  const root = workspace?.replaceAll('\\', '/').replace(/\/+$/, '')
  return root !== undefined && slashes.startsWith(`${root}/`) ? slashes.slice(root.length + 1) : slashes
}
