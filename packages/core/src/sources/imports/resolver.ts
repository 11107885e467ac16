/** The resolvers of all languages as one. */
import type { PathIndex } from './path-index.ts'
import type { ProjectSettings } from './project-settings.ts'
import { createGoResolver } from './resolve-go.ts'
import { createJavaScriptResolver, type ResolveImport } from './resolve-javascript.ts'
import { createPythonResolver } from './resolve-python.ts'
import { createRustResolver } from './resolve-rust.ts'
import { sourceLanguageOf } from './source-language.ts'

/**
 * Returns the function that finds the files an import means, by the language of the importer. It returns no files for
 * imports from outside of the workspace and for importers in an unsupported language.
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
