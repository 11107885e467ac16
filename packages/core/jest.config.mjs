import { project } from '../../tools/jest/preset.mjs'

/**
 * The process that runs tests is replaced when it is larger than this after a file: what the modules of a test take is
 * given back only with the process, and these hundreds of files fill a heap.
 */
const LARGEST_PROCESS = '1GB'

export default { ...project(import.meta.url), workerIdleMemoryLimit: LARGEST_PROCESS }
