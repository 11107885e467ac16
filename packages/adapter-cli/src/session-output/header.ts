/** The lines above a session on a terminal. */
import type { Engine, SessionSummary } from '@cairn/core'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { sessionFacts } from './facts.ts'

/** Title, facts, and an empty line. */
export const headerLines = async (session: SessionSummary, engine: Engine, terminal: Pick<Terminal, 'style'>): Promise<readonly string[]> => [
  terminal.style('bold', neutraliseLine(session.title ?? session.externalId)),
  ...(await sessionFacts(session, engine)).map(([name, text]) => `${terminal.style('dim', name.padEnd(9))}${text}`),
  '',
]
