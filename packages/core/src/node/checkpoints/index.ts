/** Checkpoints on Node: private git repositories and the file system. */
export { createSnapshotRepository, type RepositorySetting } from './snapshot-repository.ts'
