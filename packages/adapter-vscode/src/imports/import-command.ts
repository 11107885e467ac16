/** "Import now": with its progress in a notification, and what was left out in the output. */
import { homedir } from 'node:os'
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'
import { ownPrices } from '../store/settings-files.ts'
import type { WindowStore } from '../store/window-store.ts'
import type { ImportJob, ImportMessage } from './import-job.ts'
import { importSummary, progressText, skipText } from './import-text.ts'
import { startImport } from './start-import.ts'
import type { ImportOutcome, RunningImport } from './start-import.ts'

/** What the command needs of the window. */
export interface ImportCommandDeps {
  readonly store: WindowStore
  readonly log: vscode.OutputChannel
  /** The file that runs a job when it is started as a thread. */
  readonly bundle: URL
  /** Told when an import has begun, and when it has ended. */
  readonly onRunning: (isRunning: boolean) => void
}

const SHOW_SESSIONS = 'Show sessions'
const SHOW_SKIPPED = 'Show what was left out'
const { platform } = process

/**
 * Returns the job that imports all transcripts of this machine into the window's store.
 * @throws CairnError if that store may not be used
 */
const jobFor = (store: WindowStore): ImportJob => ({
  kind: 'cairn-import',
  address: store.address(),
  prices: ownPrices(store.settings()),
  environment: {
    home: homedir(),
    platform: platform === 'darwin' || platform === 'win32' ? platform : 'linux',
    variables: { ...process.env },
  },
  from: [],
})

/**
 * Shows how an import ended, with buttons for the sessions and for what was skipped. An import that was stopped or
 * failed only says so.
 */
const showOutcome = async (outcome: ImportOutcome, log: vscode.OutputChannel): Promise<void> => {
  if (outcome.kind === 'stopped') {
    await vscode.window.showInformationMessage(
      'The import was stopped. What was read is kept; the next import goes on from there.',
    )
    return
  }
  if (outcome.kind === 'failed') {
    await vscode.window.showErrorMessage(`The import failed: ${outcome.sentence}`)
    return
  }
  const summary = importSummary(outcome.report)
  log.appendLine(`${new Date().toISOString()} ${summary}`)
  const actions = [
    ...(outcome.report.sessions > 0 ? [SHOW_SESSIONS] : []),
    ...(outcome.report.skipped.length > 0 ? [SHOW_SKIPPED] : []),
  ]
  const chosen = await vscode.window.showInformationMessage(summary, ...actions)
  if (chosen === SHOW_SESSIONS) await vscode.commands.executeCommand('cairn.sessions.focus')
  if (chosen === SHOW_SKIPPED) log.show()
}

/** The notification that shows an import's progress. */
type ImportProgress = vscode.Progress<{ readonly message?: string; readonly increment?: number }>

/** Returns a listener that shows an import's progress, and writes what is skipped to the output. */
const createListener = (progress: ImportProgress, log: vscode.OutputChannel): ((message: ImportMessage) => void) => {
  let shownPercent = 0
  return (message) => {
    if (message.kind === 'skipped') log.appendLine(skipText(message.skip))
    if (message.kind !== 'progress') return
    const percent = message.progress.share * 100
    progress.report({ message: progressText(message.progress), increment: percent - shownPercent })
    shownPercent = percent
  }
}

/**
 * Registers the command "Import now". A window runs one import at a time; a second call says so. Its outcome is shown
 * as a message; disposing the result stops a running import.
 */
export const registerImport = ({ store, log, bundle, onRunning }: ImportCommandDeps): vscode.Disposable => {
  let running: RunningImport | undefined

  const runImport = async (): Promise<void> => {
    if (running !== undefined) {
      void vscode.window.showInformationMessage('An import is under way in this window.')
      return
    }
    try {
      const job = jobFor(store)
      const outcome = await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: 'Cairn: reading what your agents recorded',
          cancellable: true,
        },
        (progress, cancelled) => {
          const started = startImport(bundle, job, createListener(progress, log))
          running = started
          onRunning(true)
          cancelled.onCancellationRequested(() => started.stop())
          return started.outcome
        },
      )
      void showOutcome(outcome, log)
    } catch (error) {
      void vscode.window.showErrorMessage(`The import failed: ${messageOf(error)}`)
    } finally {
      running = undefined
      onRunning(false)
    }
  }

  return vscode.Disposable.from(vscode.commands.registerCommand('cairn.importNow', runImport), {
    dispose: () => running?.stop(),
  })
}
