// Runs a script of this folder for its output.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * What a script prints. In a separate process, on the packages' sources: its memory is not counted as this one's. Rejects
 * when it fails.
 * @param {string} name
 * @param {readonly string[]} args
 * @param {readonly string[]} [conditions] of Node
 * @returns {Promise<string>}
 */
export function script(name, args, conditions = []) {
  const child = spawn(
    process.execPath,
    ['--conditions=@cairn/source', ...conditions, fileURLToPath(new URL(name, import.meta.url)), ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  )
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(stdout) : reject(new Error(`${name} ended with ${code}`))))
  })
}
