/** Progress of a checkpoint or a restore, on one line of a terminal; nothing for what takes less than a second. */
import type { SnapshotProgress } from '@cairn/core'
import { formatWhole } from './format.ts'
import type { Terminal } from './terminal.ts'

/** Nothing is shown before. */
const SILENT_MS = 1_000
/** Least time between two drawings. */
const REDRAW_MS = 80

const WHAT: Readonly<Record<SnapshotProgress['phase'], string>> = {
  looking: 'Looking at files',
  reading: 'Reading what changed',
  restoring: 'Restoring',
}

interface CheckpointProgress {
  readonly onProgress: (progress: SnapshotProgress) => void
  /** Clears the line. */
  clear(): void
}

/**
 * Shows progress on standard error, from the second second on, so that short work shows none; does nothing if that is
 * no terminal. `now` returns ms.
 */
const createCheckpointProgress = (terminal: Terminal, now: () => number = Date.now): CheckpointProgress => {
  const startedAt = now()
  let drawnAt = Number.NEGATIVE_INFINITY
  return {
    onProgress: ({ phase, done, total }) => {
      if (!terminal.isErrorTerminal || now() - startedAt < SILENT_MS || now() - drawnAt < REDRAW_MS) return
      drawnAt = now()
      const count = total === undefined ? formatWhole(done) : `${formatWhole(done)} of ${formatWhole(total)}`
      terminal.progress(`\r\u001b[K${WHAT[phase]}: ${count}`)
    },
    clear: () => {
      if (drawnAt > Number.NEGATIVE_INFINITY) terminal.progress('\r\u001b[K')
    },
  }
}

/**
 * Runs an action with progress on standard error, and clears the line when it ends. Resolves and rejects as the action
 * does.
 */
export const withProgress = async <T>(
  terminal: Terminal,
  action: (onProgress: CheckpointProgress['onProgress']) => Promise<T>,
): Promise<T> => {
  const progress = createCheckpointProgress(terminal)
  try {
    return await action(progress.onProgress)
  } finally {
    progress.clear()
  }
}
