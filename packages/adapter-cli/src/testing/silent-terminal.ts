/** For tests: a terminal whose output is dropped and which can't ask. */
import type { Terminal } from '../terminal/terminal.ts'

export const SILENT_TERMINAL: Terminal = {
  write: async () => undefined,
  line: async () => undefined,
  note: () => undefined,
  progress: () => undefined,
  style: (_, text) => text,
  width: 80,
  errorWidth: 80,
  outputFailure: undefined,
  flush: async () => undefined,
  isOutputTerminal: false,
  isErrorTerminal: false,
  canAsk: false,
  ask: async () => undefined,
  askHidden: async () => undefined,
}
