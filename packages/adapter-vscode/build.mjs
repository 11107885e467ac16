// Bundles the extension. VS Code's host loads CommonJS, and a package without node_modules.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

await build({
  absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.cjs',
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  conditions: ['@cairn/source'],
  external: ['vscode'],
  sourcemap: true,
  logLevel: 'warning',
})
