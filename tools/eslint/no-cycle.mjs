// Forbids import cycles between files, also of types only: a cycle is two files that cannot be read one after the other.
import { relative } from 'node:path'
import { importsOnDisk, resolveRelative } from './module-graph.mjs'

/** @type {import('eslint').Rule.RuleModule} */
export const noCycle = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { cycle: 'Import cycle: {{path}}' },
  },
  /** Reports an import that is part of a circle, with the files on it. */
  create(context) {
    const check = (node) => {
      const target = resolveRelative(context.filename, node.source?.value ?? '')
      const path = target && pathBetween(target, context.filename)
      if (!path) return
      const names = [context.filename, ...path].map((file) => relative(context.cwd, file))
      context.report({ node: node.source, messageId: 'cycle', data: { path: names.join(' → ') } })
    }
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check }
  },
}

/** The shortest chain of imports from one file to another, both included. */
function pathBetween(from, to) {
  const cameFrom = new Map([[from, undefined]])
  for (const file of cameFrom.keys()) {
    if (file === to) {
      const path = []
      for (let step = file; step !== undefined; step = cameFrom.get(step)) path.unshift(step)
      return path
    }
    // Iterating a Map visits what is added meanwhile: a breadth-first search.
    for (const next of importsOnDisk(file)) if (!cameFrom.has(next)) cameFrom.set(next, file)
  }
  return undefined
}
