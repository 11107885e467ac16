// The import graph: what it finds beside parsers, labels made by hand, and another tool for circles.
import { mkdirSync, rmSync } from 'node:fs'
import { scratchFolder } from '../../bench/paths.mjs'
import { checkCycles } from './cycles.mjs'
import { checkJavaScript } from './javascript.mjs'
import { checkLabelled } from './labelled.mjs'
import { checkPython } from './python.mjs'

/**
 * Compares the imports, circles and labels that are found with those of other programs; parts that can't be compared
 * here are skipped. @type {import('../index.mjs').Check}
 */
export async function imports({ quick, log }) {
  const scratch = scratchFolder('imports')
  mkdirSync(scratch, { recursive: true })
  try {
    const javascript = await checkJavaScript(log)
    const python = await checkPython(scratch, log)
    const labelled = await checkLabelled(scratch, log)
    const cycles = await checkCycles({ quick, scratch, log })
    return [
      `TypeScript and JavaScript: ${javascript}`,
      python === undefined ? 'Python: skipped' : `Python: ${python}`,
      ...labelled,
      cycles ?? 'circles: skipped',
    ].join('; ')
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
