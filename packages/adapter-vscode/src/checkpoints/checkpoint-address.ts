/** The address of a file as it was in a checkpoint. The path comes first, so that a tab shows the name and the language is found. */
import type { Checkpoint, FileDifference } from '@cairn/core'

export const CHECKPOINT_SCHEME = 'cairn-checkpoint'

/** A file as it was in a checkpoint. */
export interface CheckpointFile {
  readonly root: string
  readonly checkpointId: string
  /** Relative to the root, with `/`. */
  readonly path: string
}

/** The parts of a document's address. */
export interface AddressParts {
  readonly scheme: string
  readonly path: string
  readonly query: string
}

/**
 * Returns the address of a file in a checkpoint. `change`: how the file differs, which marks it in the tree. Without it
 * there is no mark.
 */
export const checkpointAddress = (
  { root, id }: Pick<Checkpoint, 'root' | 'id'>,
  path: string,
  change?: FileDifference['change'],
): AddressParts => ({
  scheme: CHECKPOINT_SCHEME,
  path: `/${path}`,
  query: new URLSearchParams({ root, id, ...(change === undefined ? {} : { change }) }).toString(),
})

/** Returns the file that an address names; undefined if the address has no root or checkpoint. */
export const checkpointFileOf = ({ path, query }: Pick<AddressParts, 'path' | 'query'>): CheckpointFile | undefined => {
  const values = new URLSearchParams(query)
  const [root, checkpointId] = [values.get('root'), values.get('id')]
  return root === null || checkpointId === null ? undefined : { root, checkpointId, path: path.slice(1) }
}

const CHANGES: readonly FileDifference['change'][] = ['added', 'modified', 'removed', 'mode']

/** Returns how a file differs, from the query of an address of the tree; undefined for any other query. */
export const changeOf = (query: string): FileDifference['change'] | undefined => {
  const value = new URLSearchParams(query).get('change')
  return CHANGES.find((change) => change === value)
}
