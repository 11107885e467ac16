// What all projects' Jest runs share: TypeScript sources as ES modules, compiled by swc, no build needed before.
import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

/** For every test and hook. It ends a test that hangs, and says nothing of speed: a busy machine may take this long. */
const TEST_TIMEOUT_MS = 300_000

// Folders of tests are in no repository, whatever lies in the temporary folder or above it.
process.env.GIT_CEILING_DIRECTORIES ??= [tmpdir(), realpathSync(tmpdir())].join(delimiter)

/**
 * The settings of Jest that all projects share.
 * @param {string} configUrl the `import.meta.url` of a project's jest.config.mjs
 * @returns {import('jest').Config}
 */
export function project(configUrl) {
  return {
    rootDir: fileURLToPath(new URL('.', configUrl)),
    displayName: fileURLToPath(new URL('.', configUrl)).split(/[\\/]/).at(-2),
    testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/src/**/*.test.tsx'],
    testPathIgnorePatterns: ['/node_modules/', '/dist/', '/generated/'],
    // A project may have no tests yet.
    passWithNoTests: true,
    testTimeout: TEST_TIMEOUT_MS,
    extensionsToTreatAsEsm: ['.ts', '.tsx'],
    transform: {
      '^.+\\.tsx?$': [
        '@swc/jest',
        {
          jsc: {
            parser: { syntax: 'typescript', tsx: false },
            transform: { react: { runtime: 'automatic' } },
            target: 'es2024',
          },
          module: { type: 'es6' },
          sourceMaps: 'inline',
        },
      ],
    },
    // Only where a test asks for it: the limit costs nothing elsewhere.
    moduleNameMapper: { '^fast-check$': fileURLToPath(new URL('./fast-check.mjs', import.meta.url)) },
    testEnvironmentOptions: {
      // Workspace packages resolve to their sources, see "exports" in their package.json.
      customExportConditions: ['@cairn/source', 'node', 'node-addons'],
    },
    reporters: ['default', fileURLToPath(new URL('./totals-reporter.mjs', import.meta.url))],
  }
}
