// Runs npm, also on Windows, where it is no program that could be started by itself.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Runs npm in a folder and returns what it prints. Throws what npm says where it fails. It blocks. */
export function npm(args, cwd) {
  const script = process.env.npm_execpath ?? join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js')
  const options = { cwd, encoding: 'utf8', maxBuffer: 64e6 }
  if (existsSync(script)) return execFileSync(process.execPath, [script, ...args], options)
  return execFileSync('npm', args, { ...options, shell: process.platform === 'win32' })
}
