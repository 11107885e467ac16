/** Differences of files as text. */
import { textOfBytePath } from '../../checkpoints/byte-path.ts'
import type { SnapshotChange, SnapshotEntry } from '../../checkpoints/snapshot-changes.ts'
import type { FileDifference } from '../../ports/snapshot-repository.ts'
import { unifiedDiff } from '../../setup/unified-diff.ts'
import type { BlobReader } from './read-snapshots.ts'

/** Larger contents are not compared line by line, bytes. */
const LARGEST_TEXT = 1_000_000

/**
 * Whether a content is compared line by line: no zero byte in its first 8000, as git decides it, and no more than
 * `LARGEST_TEXT`.
 */
const isText = (content: Buffer): boolean => content.length <= LARGEST_TEXT && !content.subarray(0, 8_000).includes(0)

/**
 * How a file changed. `mode`: only permissions differ; a file that became a link, or the other way round, is
 * `modified`.
 */
const kindOf = ({ before, after }: SnapshotChange): FileDifference['change'] => {
  if (before === undefined) return 'added'
  if (after === undefined) return 'removed'
  return before.blob === after.blob && (before.gitMode === '120000') === (after.gitMode === '120000')
    ? 'mode'
    : 'modified'
}

/**
 * What a change is, for people and without its text; `modes` are permissions before and after, null where there was no
 * file.
 */
export const differenceOf = (change: SnapshotChange): FileDifference => ({
  path: textOfBytePath(change.path),
  change: kindOf(change),
  modes: [change.before?.mode ?? null, change.after?.mode ?? null],
})

/**
 * What a change is, with its text; a missing side is an empty file. `patch` is a unified diff's lines without the two
 * that name the file; empty where only permissions changed, and null where a side is no text, is larger than 1 MB or
 * can't be read.
 */
export const patchOf = async (change: SnapshotChange, blobs: Pick<BlobReader, 'read'>): Promise<FileDifference> => {
  const difference = differenceOf(change)
  if (difference.change === 'mode') return { ...difference, patch: [] }
  const contentOf = async (entry: SnapshotEntry | undefined): Promise<Buffer | undefined> =>
    entry === undefined ? Buffer.alloc(0) : blobs.read(entry.blob)
  const [before, after] = [await contentOf(change.before), await contentOf(change.after)]
  if (before === undefined || after === undefined || !isText(before) || !isText(after))
    return { ...difference, patch: null }
  return { ...difference, patch: unifiedDiff(before.toString('utf8'), after.toString('utf8')) }
}
