/**
 * The import's side of the threads that read ahead: gives them files in order, and takes their batches. One thread reads a
 * file; the next file is begun by the thread that has least to do. What a thread holds is bounded (see thread.ts).
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { FileReadAhead, FileToRead, ReadAhead } from '@cairn/core/importers'
import type { TailSize } from '../search/index-sizes.ts'
import type { FileReading } from './file-reading.ts'
import type { ReadAheadSetting } from './messages.ts'
import { ReadAheadThread } from './read-ahead-thread.ts'

/** The threads of a store's imports. */
export interface ReadAheadThreads {
  /** The file that a thread is started with: it has to call `runReadAheadThread`. */
  readonly file: URL
  /** How many, 16 at most; 0: none. Default: one for each processor, three at most, and none where there is one. */
  readonly count?: number
}

/** Bytes of files below which starting threads takes longer than they save. */
const LEAST_BYTES = 1 << 20
/** The thread that writes has work for so many, not for more. */
const USUAL_MOST = 3
/** Each takes some ten megabytes. */
const MOST_THREADS = 16

/** One for each processor, within reason; none where they would only take turns with the import. */
const usualCount = (): number => {
  const processors = availableParallelism()
  return processors === 1 ? 0 : Math.min(processors, USUAL_MOST)
}

/** Starts threads that read these files; undefined where they are too few to be worth it, or no threads are wanted. */
export const startReadAhead = (
  files: readonly FileToRead[],
  { file, count = usualCount(), segmentFrom }: ReadAheadThreads & { readonly segmentFrom: TailSize },
): ReadAhead | undefined => {
  const bytes = files.reduce((sum, { facts }) => sum + facts.size, 0)
  // A program that runs from its sources may have no such file.
  if (count === 0 || bytes < LEAST_BYTES || !existsSync(file)) return undefined
  return new ThreadPool(files, file, Math.min(count, files.length, MOST_THREADS), segmentFrom)
}

class ThreadPool implements ReadAhead {
  readonly #files: readonly FileToRead[]
  readonly #positions: ReadonlyMap<string, number>
  readonly #readings = new Map<string, FileReading>()
  readonly #threads: readonly ReadAheadThread[]
  /** Of the next file that no thread has begun, and of the next one that the import may take. */
  #next = 0
  #taken = 0
  #isClosed = false

  constructor(files: readonly FileToRead[], file: URL, count: number, segmentFrom: TailSize) {
    this.#files = files
    this.#positions = new Map(files.map(({ facts }, position) => [facts.path, position]))
    const setting: ReadAheadSetting = { kind: 'cairn-read-ahead', segmentFrom }
    this.#threads = Array.from(
      { length: count },
      (_, number) => new ReadAheadThread(number, file, setting, () => this.#begin()),
    )
    this.#begin()
  }

  take(path: string): FileReadAhead | undefined {
    const position = this.#positions.get(path)
    if (position === undefined || position < this.#taken) return undefined
    // Files before it were not wanted.
    for (const { facts } of this.#files.slice(this.#taken, position)) this.#forget(facts.path)?.drop()
    this.#taken = position + 1
    this.#next = Math.max(this.#next, position)
    this.#begin()
    // One that no thread could begin is read by the import.
    this.#next = Math.max(this.#next, position + 1)
    const reading = this.#forget(path)
    return reading?.isInVain() === true ? undefined : reading
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#threads.map((thread) => thread.end()))
  }

  #forget(path: string): FileReading | undefined {
    const reading = this.#readings.get(path)
    this.#readings.delete(path)
    return reading
  }

  /** Gives files to threads that have little to do. */
  #begin(): void {
    if (this.#isClosed) return
    for (let toRead = this.#files[this.#next]; toRead !== undefined; toRead = this.#files[this.#next]) {
      const [idlest] = this.#threads
        .filter((thread) => thread.canTakeMore)
        .sort((left, right) => left.bytesAhead - right.bytesAhead)
      if (idlest === undefined) return
      this.#readings.set(toRead.facts.path, idlest.read(toRead))
      this.#next += 1
    }
  }
}
