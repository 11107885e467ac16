/** JavaScript's heap in this process. */
import { getHeapStatistics } from 'node:v8'

/** The heap of this process now: bytes in use, and those that it may grow to. */
export const heapFigures = (): { readonly usedBytes: number; readonly limitBytes: number } => {
  const { used_heap_size: usedBytes, heap_size_limit: limitBytes } = getHeapStatistics()
  return { usedBytes, limitBytes }
}
