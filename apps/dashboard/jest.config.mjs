import { project } from '../../tools/jest/preset.mjs'

export default project(import.meta.url)
