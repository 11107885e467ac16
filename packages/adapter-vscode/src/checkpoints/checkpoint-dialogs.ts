/** What is told and asked on the way to a checkpoint or a restore. */
import { relative, sep } from 'node:path'
import { realPathOf } from '@cairn/core/node'
import type { SnapshotProgress } from '@cairn/core'
import * as vscode from 'vscode'
import { counted } from '../text/format.ts'
import { neutraliseLine } from '../text/neutralise.ts'
import type { OnProgress, RestoreDialogs } from './restore-flow.ts'
import { restoreDetail, restoreQuestion } from './restore-text.ts'

const SAVE = 'Save them first'
const LEAVE = 'Go on without'
const RESTORE = 'Restore'
/** Paths that a dialog names. */
const NAMED = 8
const TELL_EVERY_MS = 100

const WHAT: Readonly<Record<SnapshotProgress['phase'], string>> = {
  looking: 'looking at files',
  reading: 'reading what changed',
  restoring: 'restoring',
}

/** Returns how far an action is: `reading what changed: 12 of 40`, without `of` if the total is not known. */
const progressText = ({ phase, done, total }: SnapshotProgress): string => {
  const count = total === undefined ? '' : ` of ${total.toLocaleString('en-US')}`
  return `${WHAT[phase]}: ${done.toLocaleString('en-US')}${count}`
}

/**
 * Runs an action and shows its progress in a notification, at most ten times a second; resolves and rejects as the
 * action does.
 */
export const withProgress = async <T>(title: string, action: (onProgress: OnProgress) => Promise<T>): Promise<T> =>
  vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: `Cairn: ${title}` },
    (progress) => {
      let toldAt = 0
      return action((step) => {
        if (Date.now() - toldAt < TELL_EVERY_MS) return
        toldAt = Date.now()
        progress.report({ message: progressText(step) })
      })
    },
  )

/** Returns the unsaved documents of a folder, by their paths relative to it, with `/`. */
const unsavedIn = (root: string): ReadonlyMap<string, vscode.TextDocument> =>
  new Map(
    vscode.workspace.textDocuments
      .filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file')
      .map((document) => [relative(root, realPathOf(document.uri.fsPath)).replaceAll(sep, '/'), document] as const)
      .filter(([path]) => path !== '' && !path.startsWith('../') && path !== '..'),
  )

/** Returns the paths of files in a folder that have unsaved changes in editors, relative to it, with `/`. */
export const unsavedPaths = (root: string): readonly string[] => [...unsavedIn(root).keys()]

/**
 * Asks what to do about unsaved changes, with `consequence` as the explanation: saves the files, leaves them, or
 * cancels. Also `cancelled` if a file can't be saved; the editor has said why.
 */
export const settleUnsaved = async (
  root: string,
  paths: readonly string[],
  consequence: string,
): Promise<'saved' | 'left' | 'cancelled'> => {
  const named = paths.slice(0, NAMED).map((path) => `    ${neutraliseLine(path)}`)
  const more = paths.length > NAMED ? [`    … ${paths.length - NAMED} more`] : []
  const chosen = await vscode.window.showWarningMessage(
    `${counted(paths.length, 'file')} ${paths.length === 1 ? 'has' : 'have'} unsaved changes. ${consequence}`,
    { modal: true, detail: [...named, ...more].join('\n') },
    SAVE,
    LEAVE,
  )
  if (chosen === LEAVE) return 'left'
  if (chosen !== SAVE) return 'cancelled'
  const documents = unsavedIn(root)
  for (const path of paths) if ((await documents.get(path)?.save()) === false) return 'cancelled'
  return 'saved'
}

/**
 * Returns the dialogs of a restore under a root: unsaved files, the question itself, progress. `title`: the question.
 */
export const restoreDialogs = (root: string, title: string): RestoreDialogs => ({
  unsaved: unsavedPaths,
  settleUnsaved: (paths) =>
    settleUnsaved(
      root,
      paths,
      'They are in no checkpoint, and an editor that is saved later overwrites what is restored.',
    ),
  agree: async (preview) =>
    (await vscode.window.showWarningMessage(
      restoreQuestion(preview, title),
      { modal: true, detail: restoreDetail(preview, Date.now()) },
      RESTORE,
    )) === RESTORE,
  withProgress,
})
