/** Files that somebody changed and the agent may not know as they are, until a command acknowledges that. */
import type { FileWarning } from '@cairn/core'
import { CommandLine } from '../../components/command-line.tsx'
import { StoreText } from '../../components/store-text.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { shellWord } from '../../components/shell-word.ts'

interface FileWarningsProps {
  /** Of the session. */
  readonly id: string
  /** The oldest first. */
  readonly warnings: readonly FileWarning[]
  readonly timeZone: string | undefined
}

/** Paths of a warning that are named. */
const NAMED = 5

/**
 * The warnings with the command that takes them away; nothing without any. At most `NAMED` files are named, the others
 * counted.
 */
export const FileWarnings = ({ id, warnings, timeZone }: FileWarningsProps) =>
  warnings.length > 0 && (
    <div className="mx-4 mt-4 rounded-lg border border-line border-l-4 border-l-warning px-4 py-3 text-sm sm:mx-5">
      <ul className="grid gap-1">
        {warnings.map(({ id: warning, at, reason, paths }) => (
          <li key={warning} className="[overflow-wrap:anywhere]">
            <TimeText at={at} timeZone={timeZone} />: <StoreText text={reason} />; the agent may not know{' '}
            <span className="font-mono text-xs">
              <StoreText text={paths.slice(0, NAMED).join(', ')} />
            </span>
            {paths.length > NAMED && ` and ${(paths.length - NAMED).toLocaleString('en-US')} more`} as{' '}
            {paths.length === 1 ? 'it is' : 'they are'} now.
          </li>
        ))}
      </ul>
      <CommandLine command={`cairn session files ${shellWord(id)} --acknowledge`} />
    </div>
  )
