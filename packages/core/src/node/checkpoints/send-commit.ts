/** Gives `git fast-import` a snapshot's commit, with what it holds beside files. */
import { attributesText } from '../../checkpoints/attributes.ts'
import type { Attributes, GitMode } from '../../checkpoints/attributes.ts'
import type { BytePath } from '../../checkpoints/byte-path.ts'
import {
  ATTRIBUTES_FILE,
  blobCommand,
  commitCommand,
  deleteCommand,
  endCommand,
  fileCommand,
  inlineCommand,
  LEFT_OUT_FILE,
} from '../../checkpoints/import-stream.ts'
import type { CommitHead } from '../../checkpoints/import-stream.ts'
import { leftOutText } from '../../checkpoints/left-out.ts'
import type { LeftOut } from '../../checkpoints/left-out.ts'
import type { ImportProcess } from './import-process.ts'

export interface CommitContent extends CommitHead {
  /** Taken out of the tree that the commit starts from. */
  readonly deleted: readonly BytePath[]
  readonly put: readonly { readonly path: BytePath; readonly gitMode: GitMode; readonly blob: string }[]
  readonly attributes: Attributes
  readonly leftOut: readonly LeftOut[]
}

/**
 * Sends a content to be stored; the caller has seen that git does not have it. What git says about it comes when the
 * process ends.
 */
export const sendContent = async (process: ImportProcess, content: Buffer): Promise<void> => {
  await process.send(blobCommand(content.length))
  await process.send(content)
  await process.send('\n')
}

/**
 * Sends a commit with its files, attributes and list of what was left out, as the last of the input: nothing can be
 * sent after it. Whether git took it, `process.end` tells.
 */
export const sendCommit = async (process: ImportProcess, content: CommitContent): Promise<void> => {
  await process.send(commitCommand(content))
  const deleted = content.baseTree === undefined ? [] : content.deleted
  await sendMany(process, deleted, deleteCommand)
  await sendMany(process, content.put, ({ path, gitMode, blob }) => fileCommand(path, gitMode, blob))
  await process.send(inlineCommand(ATTRIBUTES_FILE, asBytes(attributesText(content.attributes))))
  await process.send(inlineCommand(LEFT_OUT_FILE, asBytes(leftOutText(content.leftOut))))
  await process.send(endCommand())
}

/** Commands that are sent at once. */
const AT_ONCE = 1_000

/**
 * Sends each item's command, in order, many in one write: sending them one by one takes longer than git takes to read
 * them. Does not fail if git has ended: that is told when its process is waited for.
 */
const sendMany = async <T>(
  process: ImportProcess,
  items: readonly T[],
  commandOf: (item: T) => string,
): Promise<void> => {
  for (let start = 0; start < items.length; start += AT_ONCE)
    await process.send(
      items
        .slice(start, start + AT_ONCE)
        .map(commandOf)
        .join(''),
    )
}

/** A text as the bytes of its UTF-8, a character each. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1')
