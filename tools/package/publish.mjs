// What `nx release` publishes: the tarball that `npm run package` made, and nothing else of the workspace.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { npm } from './npm.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({
  strict: false,
  options: {
    dryRun: { type: 'string' },
    tag: { type: 'string' },
    otp: { type: 'string' },
    registry: { type: 'string' },
  },
})
const [tarball, ...others] = globSync('dist/cairn-memory-*.tgz', { cwd: root })
const isDryRun = values.dryRun === 'true' || process.env.NX_DRY_RUN === 'true'

if (tarball === undefined || others.length > 0) {
  const state = tarball === undefined ? 'There is no tarball in dist' : 'There are several tarballs in dist'
  console.error(`${state}: run npm run package first.`)
  process.exitCode = isDryRun ? 0 : 1
} else if (isDryRun) {
  console.log(`Would publish ${tarball}.`)
} else {
  const options = ['tag', 'otp', 'registry'].flatMap((name) =>
    typeof values[name] === 'string' ? [`--${name}=${values[name]}`] : [],
  )
  console.log(npm(['publish', join(root, tarball), '--access=public', ...options], root))
}
