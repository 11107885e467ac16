// One lint configuration for the whole repository: strict TypeScript, and the boundaries of docs/architecture.
import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import js from '@eslint/js'
import nx from '@nx/eslint-plugin'
import tseslint from 'typescript-eslint'
import { coreLevels } from './tools/eslint/core-levels.mjs'
import { disableReason } from './tools/eslint/disable-reason.mjs'
import { noCycle } from './tools/eslint/no-cycle.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
const TYPESCRIPT = ['**/*.{ts,tsx}']
const TESTS = ['**/*.{test,fixture}.{ts,tsx,mjs}']
const CORE = 'packages/core/src'
/** Long by nature: they list cases one after another. */
const LISTS_OF_CASES = ['**/{e2e,workbench}/**', '**/testing/contracts/**', 'tools/**']
/** Where core may use Node. */
const CORE_EDGE = [`${CORE}/{node,providers,testing,in-memory}/**`]
const NODE_GLOBALS = [
  'process',
  'Buffer',
  'global',
  'require',
  'module',
  '__dirname',
  '__filename',
  'setImmediate',
  'clearImmediate',
]

export default tseslint.config(
  {
    ignores: [
      '**/node_modules',
      '**/dist',
      '**/.types',
      '**/.next',
      '**/.nx',
      '**/.prisma',
      '**/generated',
      '**/next-env.d.ts',
      '**/fixtures',
    ],
  },
  js.configs.recommended,
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          ...NODE_GLOBALS,
          'console',
          'URL',
          'URLSearchParams',
          'WebAssembly',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'performance',
          'fetch',
          'AbortController',
          'AbortSignal',
          'TextEncoder',
          'TextDecoder',
          'structuredClone',
          'crypto',
          'describe',
          'it',
          'test',
          'expect',
          'beforeAll',
          'afterAll',
          'beforeEach',
          'afterEach',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: TYPESCRIPT,
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      // Numbers read well in messages; what is forbidden is printing objects as "[object Object]".
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // A method of an asynchronous port is `async` also where it has nothing to wait for: then it rejects, not throws.
      '@typescript-eslint/require-await': 'off',
      // Taking a property out of an object is said by naming it.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
    },
  },
  {
    files: [...TYPESCRIPT, '**/*.mjs'],
    plugins: {
      cairn: { rules: { 'core-levels': coreLevels, 'no-cycle': noCycle, 'disable-reason': disableReason } },
      '@nx': nx,
    },
    rules: {
      'max-lines': ['error', { max: 500 }],
      'cairn/no-cycle': 'error',
      'cairn/disable-reason': 'error',
    },
  },
  {
    files: TYPESCRIPT,
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          // Packages are used as what they export, whether they have been built or not.
          enforceBuildableLibDependency: false,
          allow: [],
          depConstraints: [
            { sourceTag: 'scope:core', onlyDependOnLibsWithTags: ['scope:core'] },
            { sourceTag: 'scope:storage', onlyDependOnLibsWithTags: ['scope:core'] },
            { sourceTag: 'scope:adapter', onlyDependOnLibsWithTags: ['scope:core', 'scope:storage'] },
            { sourceTag: 'scope:app', onlyDependOnLibsWithTags: ['scope:core', 'scope:storage'] },
            { sourceTag: 'scope:tools', onlyDependOnLibsWithTags: ['*'] },
          ],
        },
      ],
    },
  },
  {
    files: ['packages/*/src/index.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'List what the package exports by name.' },
      ],
    },
  },
  {
    files: [...TYPESCRIPT, '**/*.mjs'],
    ignores: [...TESTS, ...LISTS_OF_CASES],
    rules: {
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true, IIFEs: true }],
      complexity: ['error', 15],
    },
  },
  {
    files: [`${CORE}/**/*.ts`],
    ignores: TESTS,
    rules: { 'cairn/core-levels': ['error', { src: `${root}${CORE}` }] },
  },
  {
    files: [`${CORE}/**/*.ts`],
    ignores: [...TESTS, ...CORE_EDGE],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: builtinModules.map((name) => ({ name, message: 'Node belongs into src/node; use a port here.' })),
          patterns: [{ group: ['node:*'], message: 'Node belongs into src/node; use a port here.' }],
        },
      ],
      'no-restricted-globals': [
        'error',
        ...NODE_GLOBALS.map((name) => ({ name, message: 'Not there outside of Node; use a port.' })),
      ],
    },
  },
  {
    files: [...TESTS, `${CORE}/testing/**/*.ts`],
    rules: {
      // `expect` takes methods and untyped values by design.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      // Made-up secrets are put together from pieces, so that no scanner takes them for real ones.
      '@typescript-eslint/no-unnecessary-template-expression': 'off',
    },
  },
)
