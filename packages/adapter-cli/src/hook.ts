/**
 * What agents run: hooks and the status line. Its own small program, because an agent waits for it at every turn: it loads
 * neither the database client nor the command's parser, keeps its compiled code between runs, and is CommonJS for the rest.
 */
// A Node that is too old for the store says nothing either.
if (typeof process.getBuiltinModule !== 'function') process.exit(0)
const { enableCompileCache, createRequire } = process.getBuiltinModule('node:module')

enableCompileCache()
createRequire(import.meta.url)('./hook-program.cjs')
