/**
 * Restores a checkpoint, or some of its files: looks what would change, tells of unsaved editors, asks, and restores exactly what
 * was agreed to.
 */
import type { Checkpoint, CheckpointPreview, CheckpointRestored, Engine, SnapshotProgress } from '@cairn/core'
import { hasChanges } from './restore-text.ts'

/** Gets the progress of a long action. */
export type OnProgress = (progress: SnapshotProgress) => void

/** What the user is told and asked on the way. */
export interface RestoreDialogs {
  /** Paths in a folder, relative to it and with `/`, that editors hold with unsaved changes. */
  unsaved(root: string): readonly string[]
  /** Tells of unsaved changes to files that would be restored; saves them, goes on without, or cancels. */
  settleUnsaved(paths: readonly string[]): Promise<'saved' | 'left' | 'cancelled'>
  /** Whether to do what the preview says. */
  agree(preview: CheckpointPreview): Promise<boolean>
  /** Runs an action with its progress on show. */
  withProgress<T>(title: string, action: (onProgress: OnProgress) => Promise<T>): Promise<T>
}

/** How a restore ended. */
export type RestoreResult =
  | { readonly kind: 'cancelled' }
  /** The files are as they were already. */
  | { readonly kind: 'same' }
  | { readonly kind: 'restored'; readonly outcome: CheckpointRestored; readonly preview: CheckpointPreview }

/** What is to be restored. */
export interface RestoreRequest {
  readonly checkpoint: Checkpoint
  /** Relative to the checkpoint's root; without them everything. */
  readonly paths?: readonly string[]
  /** The conversation of its session goes back to the same moment, so that its agent needs no warning. */
  readonly withConversation?: boolean
}

/** What of the engine is used here. */
type RestoreEngine = Pick<Engine, 'checkpoints'>

/** Returns what a restore would change, with its progress shown. */
const previewOf = (
  { checkpoints }: RestoreEngine,
  { checkpoint: { root, id }, paths }: RestoreRequest,
  dialogs: RestoreDialogs,
): Promise<CheckpointPreview> =>
  dialogs.withProgress('Looking what would change', (onProgress) =>
    checkpoints.preview(root, id, { onProgress, ...(paths === undefined ? {} : { paths }) }),
  )

/**
 * Returns the preview once unsaved files that it affects are settled, made anew if they were saved; undefined if the
 * user cancels.
 */
const settledPreview = async (
  engine: RestoreEngine,
  request: RestoreRequest,
  dialogs: RestoreDialogs,
): Promise<CheckpointPreview | undefined> => {
  const preview = await previewOf(engine, request, dialogs)
  const unsaved = new Set(dialogs.unsaved(request.checkpoint.root))
  const affected = preview.files.map(({ path }) => path).filter((path) => unsaved.has(path))
  if (affected.length === 0) return preview
  const settled = await dialogs.settleUnsaved(affected)
  if (settled === 'cancelled') return undefined
  return settled === 'saved' ? previewOf(engine, request, dialogs) : preview
}

/**
 * Restores what the request names, if the user agrees. Rejects as `engine.checkpoints.restore` does, with nothing
 * changed. `same` if nothing would change; `cancelled` if the user does not agree.
 */
export const restoreCheckpoint = async (
  engine: RestoreEngine,
  request: RestoreRequest,
  dialogs: RestoreDialogs,
): Promise<RestoreResult> => {
  const { checkpoint, paths, withConversation = false } = request
  const preview = await settledPreview(engine, request, dialogs)
  if (preview === undefined) return { kind: 'cancelled' }
  if (!hasChanges(preview)) return { kind: 'same' }
  if (!(await dialogs.agree(preview))) return { kind: 'cancelled' }
  const outcome = await dialogs.withProgress('Restoring', (onProgress) =>
    engine.checkpoints.restore(checkpoint.root, checkpoint.id, {
      onProgress,
      token: preview.token,
      withConversation,
      ...(paths === undefined ? {} : { paths }),
    }),
  )
  return { kind: 'restored', outcome, preview }
}
