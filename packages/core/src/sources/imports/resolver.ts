/** The resolvers of all languages as one. */
import type { PathIndex } from './path-index.ts'
import type { ProjectSettings } from './project-settings.ts'
import { createGoResolver } from './resolve-go.ts'
import { createJavaScriptResolver, type ResolveImport } from './resolve-javascript.ts'
import { createPythonResolver } from './resolve-python.ts'
import { createRustResolver } from './resolve-rust.ts'
import { sourceLanguageOf } from './source-language.ts'

/**
 * Makes what finds the files that an import means, by the importer's language; it gives none for what the workspace
 * has not, and for an importer in a language that is not known.
 */
export const createImportResolver = (paths: PathIndex, settings: ProjectSettings): ResolveImport => {
  const resolvers = {
    javascript: createJavaScriptResolver(paths, settings),
    python: createPythonResolver(paths),
    go: createGoResolver(paths, settings),
    rust: createRustResolver(paths, settings),
  }
  return (importer, found) => {
    const language = sourceLanguageOf(importer)
    return language === undefined ? [] : resolvers[language](importer, found)
  }
}
