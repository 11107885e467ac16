'use client'
/** A command for the terminal, with a button that copies it. */
import { useState } from 'react'
import { visibleText } from './store-text.tsx'

interface CommandLineProps {
  /** As it is typed. */
  readonly command: string
}

/** Whether a command, once pasted, does just what it shows: it has no control characters or line ends. */
const isSafe = (command: string): boolean => visibleText(command) === command && !command.includes('\n')

/** Shows a command with a button that copies it; no button if what would be copied differs from what is shown. */
export const CommandLine = ({ command }: CommandLineProps) => {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(command)
      setOutcome('copied')
    } catch {
      // Not every address of a page may use the clipboard; the text can be selected.
      setOutcome('failed')
    }
  }
  return (
    <span className="mt-1 flex max-w-full items-center gap-1.5">
      <code className="min-w-0 rounded bg-sunken px-2 py-1 font-mono text-xs [overflow-wrap:anywhere] select-all">
        {visibleText(command)}
      </code>
      {isSafe(command) && (
        <button
          type="button"
          aria-label={`Copy ${command}`}
          onClick={() => void copy()}
          className="rounded-md border border-line bg-panel px-2 py-0.5 text-xs whitespace-nowrap hover:bg-sunken"
        >
          Copy
        </button>
      )}
      <span role="status" className="text-xs text-muted">
        {outcome === 'copied' && 'Copied'}
        {outcome === 'failed' && 'Select it to copy'}
      </span>
    </span>
  )
}
