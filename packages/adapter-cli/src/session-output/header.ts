/** The lines above a session on a terminal. */
import type { Engine, SessionSummary } from '@cairn/core'
import { neutraliseLine } from '../terminal/neutralise.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapAfter, wrapLine } from '../terminal/wrap.ts'
import { sessionFacts } from './facts.ts'

const NAME_WIDTH = 9

/** Returns title, facts and an empty line, safe to print and wrapped. With `until` (ms) only usage before it counts. */
export const headerLines = async (
  session: SessionSummary,
  engine: Engine,
  terminal: Pick<Terminal, 'style' | 'width'>,
  until?: number,
): Promise<readonly string[]> => [
  ...wrapLine(neutraliseLine(session.title ?? session.externalId), terminal.width).map((line) =>
    terminal.style('bold', line),
  ),
  ...(await sessionFacts(session, engine, until)).flatMap(([name, text]) => {
    const [first = '', ...others] = wrapAfter(name.padEnd(NAME_WIDTH), text, terminal.width)
    return [terminal.style('dim', first.slice(0, NAME_WIDTH)) + first.slice(NAME_WIDTH), ...others]
  }),
  '',
]
