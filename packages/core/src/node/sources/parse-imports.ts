/** Imports of JavaScript and TypeScript as a parser sees them: exact, and some ten times as slow as finding them. */
import { isJsonObject, objectOf, stringOf, type JsonObject } from '../../json.ts'
import type { FoundImport, ImportKind } from '../../sources/imports/found-import.ts'
import { createLineCounter } from '../../sources/imports/found-import.ts'
import type { ParseImports } from '../../sources/imports/import-index.ts'

/**
 * A function that parses the imports of a file (undefined where its text can't be parsed); undefined itself where the
 * parser is not installed, or has no binary for this system. Never rejects.
 */
export const loadImportParser = async (): Promise<ParseImports | undefined> => {
  try {
    const { parseSync } = await import('oxc-parser')
    return (path, text) => {
      const { program, errors } = parseSync(path, text)
      // It goes on behind most errors; an empty program means that it did not.
      if (errors.length > 0 && program.body.length === 0) return undefined
      return importsIn(program, text)
    }
  } catch {
    return undefined
  }
}

interface PositionedImport extends Omit<FoundImport, 'line'> {
  readonly start: number
}

/** The imports of a parsed file, wherever they stand in it, in the order of its text, each with its line from 1. */
const importsIn = (program: unknown, text: string): readonly FoundImport[] => {
  const found: PositionedImport[] = []
  const open: unknown[] = [program]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (Array.isArray(node)) {
      for (const each of node as readonly unknown[]) if (typeof each === 'object' && each !== null) open.push(each)
    } else if (isJsonObject(node)) {
      const own = importOf(node)
      if (own !== undefined) found.push(own)
      for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) open.push(child)
    }
  }
  const lineAt = createLineCounter(text)
  return found
    .sort((left, right) => left.start - right.start)
    .map(({ specifier, kind, start }) => ({ specifier, kind, line: lineAt(start) }))
}

/**
 * The import that a node is by itself, without what is in it: `import`, `export … from`, `import()`, `require()`, and
 * TypeScript's `import('…')` type and `import x = require()`. Undefined for others, and for a path that is no constant.
 */
const importOf = (node: JsonObject): PositionedImport | undefined => {
  switch (node.type) {
    case 'ImportDeclaration':
      return imported(node, node.source, hasOnlyTypes(node, 'importKind') ? 'type' : 'static')
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return imported(node, node.source, hasOnlyTypes(node, 'exportKind') ? 'type' : 'static')
    case 'ImportExpression':
      return imported(node, node.source, 'dynamic')
    case 'TSImportType':
      return imported(node, node.source ?? node.argument, 'type')
    case 'TSExternalModuleReference':
      return imported(node, node.expression, 'static')
    case 'CallExpression': {
      const { type, name } = objectOf(node.callee)
      const [argument] = Array.isArray(node.arguments) ? (node.arguments as readonly unknown[]) : []
      return type === 'Identifier' && name === 'require' ? imported(node, argument, 'static') : undefined
    }
    default:
      return undefined
  }
}

/** An import of a specifier; undefined where that is not one constant text. */
const imported = ({ start }: JsonObject, source: unknown, kind: ImportKind): PositionedImport | undefined => {
  const specifier = constantOf(objectOf(source))
  return specifier === undefined || typeof start !== 'number' ? undefined : { specifier, kind, start }
}

/** The text of a literal, or of a template that puts nothing in. Undefined for any other node. */
const constantOf = (node: JsonObject): string | undefined => {
  if (node.type === 'TSLiteralType') return constantOf(objectOf(node.literal))
  if (node.type === 'Literal') return stringOf(node.value)
  const [only, ...others] = Array.isArray(node.quasis) ? (node.quasis as readonly unknown[]) : []
  return node.type === 'TemplateLiteral' && others.length === 0
    ? stringOf(objectOf(objectOf(only).value).cooked)
    : undefined
}

/** Whether an import or export has only types: as a whole, or each of its names. */
const hasOnlyTypes = (node: JsonObject, field: 'importKind' | 'exportKind'): boolean => {
  if (node[field] === 'type') return true
  const specifiers = Array.isArray(node.specifiers) ? (node.specifiers as readonly unknown[]).map(objectOf) : []
  return specifiers.length > 0 && specifiers.every((each) => each[field] === 'type')
}
