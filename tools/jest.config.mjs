import { project } from './jest/preset.mjs'

export default { ...project(import.meta.url), testMatch: ['<rootDir>/**/*.test.mjs', '<rootDir>/**/*.test.ts'] }
