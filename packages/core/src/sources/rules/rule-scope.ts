/** When a rules file holds, by its form and front matter. */
import { globMatches } from './glob.ts'
import { textsOf } from './front-matter.ts'
import type { FrontMatter } from './front-matter.ts'
import type { RuleForm } from './rule-sources.ts'
import type { RuleScope } from './rule.ts'

/**
 * Returns when the rules of a file apply, by the form of its front matter and the folder it is in ('' for the
 * workspace). Values that are missing or invalid give the default of the form.
 */
export const scopeOf = (form: RuleForm, values: FrontMatter['values'], folder: string): RuleScope => {
  switch (form) {
    case 'plain':
      return everywhere(folder)
    case 'paths':
      return byGlobs(textsOf(values.paths), folder) ?? everywhere(folder)
    case 'apply-to':
      return byGlobs(textsOf(values.applyTo), folder) ?? { kind: 'manual' }
    case 'cursor':
      return cursorScope(values, folder)
    case 'windsurf':
      return windsurfScope(values, folder)
  }
}

/** The scope of all files of a folder. */
const everywhere = (folder: string): RuleScope => (folder === '' ? { kind: 'always' } : { kind: 'folder', folder })

/** The scope of files that match any of the patterns; undefined without patterns. */
const byGlobs = (globs: readonly string[], folder: string): RuleScope | undefined => {
  if (globs.length === 0) return undefined
  if (globs.some((glob) => glob === '**' || glob === '**/*')) return everywhere(folder)
  return { kind: 'globs', globs, ...(folder === '' ? {} : { folder }) }
}

/** A scope that the model decides on by a description; `otherwise` if there is none. */
const describedOr = (values: FrontMatter['values'], otherwise: RuleScope): RuleScope => {
  const { description } = values
  return typeof description === 'string' && description.trim() !== ''
    ? { kind: 'description', description: description.trim() }
    : otherwise
}

/** The scope by Cursor's `alwaysApply`, `globs` and `description`. */
const cursorScope = (values: FrontMatter['values'], folder: string): RuleScope => {
  if (values.alwaysApply === true || Object.keys(values).length === 0) return everywhere(folder)
  return byGlobs(textsOf(values.globs), folder) ?? describedOr(values, { kind: 'manual' })
}

/**
 * The scope by Windsurf's `trigger`. `glob` without patterns and `model_decision` without a description are for the
 * user to name; with any other trigger, or none, it always holds in the folder.
 */
const windsurfScope = (values: FrontMatter['values'], folder: string): RuleScope => {
  switch (values.trigger) {
    case 'glob':
      return byGlobs(textsOf(values.globs), folder) ?? { kind: 'manual' }
    case 'model_decision':
      return describedOr(values, { kind: 'manual' })
    case 'manual':
      return { kind: 'manual' }
    default:
      return everywhere(folder)
  }
}

/**
 * Whether rules apply to a file (its path from the workspace); without a file, whether they apply to every file. False
 * for rules that a user must name or a model must choose.
 */
export const isInScope = (scope: RuleScope, file: string | undefined): boolean => {
  if (scope.kind === 'always') return true
  if (file === undefined || scope.kind === 'description' || scope.kind === 'manual') return false
  const { folder = '' } = scope
  if (!file.startsWith(folder)) return false
  return scope.kind === 'folder' || anyMatches(scope.globs, file.slice(folder.length))
}

/** Whether a path matches the patterns; if some start with `!`, the last one that matches decides. */
const anyMatches = (globs: readonly string[], path: string): boolean => {
  let isMatch = false
  for (const glob of globs) {
    const isNegated = glob.startsWith('!')
    if (globMatches(isNegated ? glob.slice(1) : glob, path)) isMatch = !isNegated
  }
  return isMatch
}
