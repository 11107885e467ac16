// Bundles the extension for one platform into dist. VS Code's host loads CommonJS, and a package without node_modules:
// what is native lies beside the bundle. `node build.mjs [--target linux-x64]`; default: this machine's.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { currentTarget, prebuildOf } from './targets.mjs'

const { values } = parseArgs({ options: { target: { type: 'string', default: currentTarget() } } })
const here = fileURLToPath(new URL('.', import.meta.url))
const outdir = `${here}dist`

/**
 * Prisma has its compiler as base64 in a module. As a file beside the bundle it is a quarter smaller, and is loaded
 * only when it is used.
 */
const wasmBeside = {
  name: 'wasm-beside',
  /**
   * Puts the WebAssembly of a module into a compressed file beside the bundle, which reads it from there.
   * @throws if there is none
   */
  setup({ onLoad }) {
    onLoad({ filter: /wasm-base64\.m?js$/ }, ({ path }) => {
      const base64 = /"([A-Za-z0-9+/=]{1000,})"/.exec(readFileSync(path, 'utf8'))?.[1]
      if (base64 === undefined) throw new Error(`no WebAssembly found in ${path}`)
      const name = basename(path).replace(/\.wasm-base64\.m?js$/, '.wasm.br')
      // Brotli takes a fifth less than the package's own compression.
      writeFileSync(`${outdir}/${name}`, brotliCompressSync(Buffer.from(base64, 'base64')))
      return {
        contents: [
          `import { readFileSync } from 'node:fs'`,
          `import { join } from 'node:path'`,
          `import { brotliDecompressSync } from 'node:zlib'`,
          `export const wasm = brotliDecompressSync(readFileSync(join(__dirname, ${JSON.stringify(name)}))).toString('base64')`,
        ].join('\n'),
        resolveDir: here,
      }
    })
  },
}

/** zod carries its messages in fifty languages, a ninth of the bundle; it speaks English unless it is told otherwise. */
const zodInEnglish = {
  name: 'zod-in-english',
  /** Leaves all languages but English out of the bundle. */
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js'`,
    }))
  },
}

/** What the bundles share. */
const common = {
  absWorkingDir: here,
  outdir,
  bundle: true,
  minify: true,
  conditions: ['@cairn/source'],
  legalComments: 'none',
  logLevel: 'warning',
}

rmSync(outdir, { recursive: true, force: true })
mkdirSync(outdir, { recursive: true })
await build({
  ...common,
  entryPoints: ['src/extension.ts'],
  outExtension: { '.js': '.cjs' },
  keepNames: true,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  external: ['vscode', 'pg-native', 'oxc-parser'],
  alias: { 'better-sqlite3': `better-sqlite3/${prebuildOf(values.target)}` },
  loader: { '.node': 'copy' },
  assetNames: '[name]',
  // Prisma's generated client asks for its own path.
  define: { 'import.meta.url': '__bundleUrl' },
  banner: { js: "const __bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
  plugins: [wasmBeside, zodInEnglish],
  sourcemap: true,
  sourcesContent: false,
})
// The pages run in a browser's frame.
await build({
  ...common,
  entryPoints: [
    { in: 'src/chat/page/main.ts', out: 'chat' },
    { in: 'src/chat/page/chat.css', out: 'chat' },
    { in: 'src/session-page/page/main.ts', out: 'session' },
    { in: 'src/session-page/page/session.css', out: 'session' },
  ],
  format: 'iife',
  platform: 'browser',
  target: 'es2023',
})
