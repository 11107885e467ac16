/** What `cairn watch` prints: a line for each import and the totals; with --json a document a line. */
import { formatUsd, messageOf, usdFromNano } from '@cairn/core'
import type { WatchEvent, WatchedImport } from '@cairn/core/node/watching'
import type { Context } from '../command.ts'
import { sentenceOf } from '../runtime/failure.ts'
import { counted, formatClock, formatDuration } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { skipText } from './skip-text.ts'
import { storeName } from './store-text.ts'

export interface WatchReport {
  tell(event: Exclude<WatchEvent, { type: 'busy' }>): void
  /** Prints the totals. */
  end(): void
}

interface ReportOptions {
  readonly isJson: boolean
  readonly store: string
}

/** A report of what a watch does, from now on. */
export const createWatchReport = (context: Context, { isJson, store }: ReportOptions): WatchReport => {
  const { terminal, now } = context
  const startedAt = now()
  const totals = { imports: 0, sessions: 0, messages: 0, requests: 0, costNano: 0n }
  const told = new Set<string>()

  const count = ({ newSessions, newMessages, newRequests, costNano }: WatchedImport): void => {
    totals.imports += 1
    totals.sessions += newSessions
    totals.messages += newMessages
    totals.requests += newRequests
    totals.costNano += costNano
  }
  const print = (document: Readonly<Record<string, unknown>>, text: string): void =>
    void (isJson ? context.json({ ...document, at: now() }) : terminal.line(text))

  return {
    tell: (event) => {
      if (event.type === 'import') {
        count(event.import)
        const { costNano, newSessions, newMessages, newRequests, ...rest } = event.import
        print(
          {
            event: 'import',
            ...rest,
            newSessions,
            messages: newMessages,
            requests: newRequests,
            costUsd: usdFromNano(costNano),
          },
          `${formatClock(now())} ${importText(event.import)}`,
        )
      } else if (event.type === 'following') {
        const { sessions, messages, requests } = event.report
        totals.sessions += sessions
        totals.messages += messages
        totals.requests += requests
        print(
          { event: 'following', ...event.report, places: event.places },
          `Store: ${storeName(store)}\nTaken in so far: ${counted(sessions, 'new session')}, ${counted(messages, 'new message')}. Following ${counted(event.places.length, 'place')}; Ctrl-C ends it.`,
        )
      } else if (event.type === 'standby') {
        const { owner } = event
        const who = owner === undefined ? '' : ` (process ${owner.pid})`
        print(
          { event: 'standby', pid: owner?.pid ?? null },
          `Another watch${who} takes in the same already. This one waits, and takes over when that one ends; Ctrl-C ends it.`,
        )
      } else if (event.type === 'skip') {
        const text = skipText(event.skip)
        // A file that grows is read again and again.
        if (told.has(text)) return
        told.add(text)
        print({ event: 'skip', ...event.skip }, `${formatClock(now())} left out: ${text}`)
      } else {
        print(
          { event: 'trouble', message: messageOf(event.error) },
          `${formatClock(now())} ${sentenceOf(event.error)} It is tried again.`,
        )
      }
    },
    end: () => {
      const { imports, sessions, messages, requests, costNano } = totals
      const ms = now() - startedAt
      print(
        { event: 'ended', imports, sessions, messages, requests, costUsd: usdFromNano(costNano), ms },
        `Watched for ${formatDuration(ms)}: ${counted(sessions, 'new session')}, ${counted(messages, 'new message')}, ${counted(requests, 'new request')}; ${formatUsd(costNano)} while it watched.`,
      )
    },
  }
}

const importText = ({ agent, workspace, newMessages, newRequests, costNano, sessions }: WatchedImport): string => {
  const project = workspace?.split(/[/\\]/).at(-1) ?? sessions.at(-1) ?? ''
  const what = newMessages > 0 || newRequests === 0 ? counted(newMessages, 'message') : counted(newRequests, 'request')
  return neutraliseLine(`${agent} ${project} +${what} ${formatUsd(costNano)}`)
}
