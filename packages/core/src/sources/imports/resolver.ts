/** The resolvers of all languages as one. */
import type { PathIndex } from './path-index.ts'
import type { ProjectSettings } from './project-settings.ts'
import { createGoResolver } from './resolve-go.ts'
import { createJavaScriptResolver, type ResolveImport } from './resolve-javascript.ts'
import { createPythonResolver } from './resolve-python.ts'
import { createRustResolver } from './resolve-rust.ts'
import { sourceLanguageOf } from './source-language.ts'

/**
 * Returns the function that finds the files of `paths` that an import means, by the importer's extension: JavaScript
 * and TypeScript, Python, Rust (one file at most), Go (all of a package, without tests). Empty for imports that mean no
 * file of the workspace and importers in another language. It may keep answers: create a new one when files or settings
 * change.
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
