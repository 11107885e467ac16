/** Checkpoints on Node: private git repositories and the file system. */
export { hasGit } from './git-process.ts'
export { createSnapshotRepository, type RepositorySetting } from './snapshot-repository.ts'
