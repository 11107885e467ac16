'use client'
/** Changes something, asks for what is shown again, and says what came of it. */
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isShutOut } from '../../trpc/failure.ts'

/** The changes of one form or list. */
export interface Change {
  readonly isBusy: boolean
  /** What came of the last change; '' before the first. */
  readonly outcome: string
  readonly isFailed: boolean
  /** Runs a change; one at a time. `done` says what it did. Resolves with whether it did. */
  readonly run: (work: () => Promise<unknown>, done: string) => Promise<boolean>
}

const SHUT_OUT = 'Nothing was changed: the dashboard was restarted; open the address that it printed.'

/**
 * Returns what runs changes for one form or list, one at a time, and keeps the outcome of the last one as a sentence.
 * `run` gives whether the work succeeded; false, and nothing is done, while another runs. After a success what the
 * memory and the search showed is asked for anew.
 */
export const useChange = (): Change => {
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const running = useRef(false)
  const [outcome, setOutcome] = useState({ text: '', isFailed: false })
  const run = async (work: () => Promise<unknown>, done: string): Promise<boolean> => {
    if (running.current) return false
    running.current = true
    setBusy(true)
    try {
      await work()
      await queries.invalidateQueries({
        predicate: ({ queryKey: [path] }) => Array.isArray(path) && (path[0] === 'memory' || path[0] === 'search'),
      })
      // Said once the buttons work again: who reads it and presses the next one is heard.
      setOutcome({ text: done, isFailed: false })
      return true
    } catch (error) {
      const isRefused = error instanceof Error && isShutOut(error)
      setOutcome({
        text: isRefused ? SHUT_OUT : error instanceof Error ? error.message : String(error),
        isFailed: true,
      })
      return false
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { isBusy, outcome: outcome.text, isFailed: outcome.isFailed, run }
}
