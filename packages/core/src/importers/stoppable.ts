/** Waits that an abort ends at once: a disk may be slow, and a folder large. */
import type { FileSystem } from '../ports/file-system.ts'

/**
 * What the promise gives, or the signal's reason as soon as it is aborted; the work itself is left to end by itself.
 * Without a signal the promise itself.
 */
export const untilStopped = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (signal === undefined) return work
  return new Promise<T>((resolve, reject) => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller chose the reason
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/**
 * The file system, of which nothing is waited for any more once the signal is aborted. Without a signal the file system
 * itself.
 */
export const stoppable = (fileSystem: FileSystem, signal: AbortSignal | undefined): FileSystem =>
  signal === undefined
    ? fileSystem
    : {
        stat: (path) => untilStopped(fileSystem.stat(path), signal),
        list: (directory) => untilStopped(fileSystem.list(directory, signal), signal),
        read: (path, offset, options) => chunksUntilStopped(fileSystem.read(path, offset, options), signal),
        realPath: (path) => untilStopped(fileSystem.realPath(path), signal),
        readText: (path) => untilStopped(fileSystem.readText(path), signal),
        append: (path, text) => untilStopped(fileSystem.append(path, text), signal),
        readDatabase: (path, read) => untilStopped(fileSystem.readDatabase(path, read), signal),
      }

/**
 * The chunks until the signal is aborted; then it rejects with its reason. The source is ended in any case; once
 * aborted, its end is not waited for.
 */
async function* chunksUntilStopped(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await untilStopped(reader.next(), signal)
      if (next.done === true) return
      yield next.value
    }
  } finally {
    // A read that hangs would hold its end back too.
    const ended = reader.return?.()
    if (!signal.aborted) await ended
    else ended?.catch(() => undefined)
  }
}
