// Benchmarks and checks run on TypeScript sources. Node loads those by itself from 22.18 on.

/**
 * Undefined where it can.
 * @param {string | false | undefined} support what `process.features.typescript` says
 * @param {string} version of Node
 * @param {string} command what to run instead
 * @returns {string | undefined} a sentence for the terminal where this Node can't load TypeScript
 */
export const typeScriptProblem = (support, version, command) =>
  support
    ? undefined
    : `Node ${version} can't load the TypeScript sources that this runs on: start it with "${command}", which uses the Node of this repository.`

/**
 * Ends the process with that sentence where it has to; the exit code is that of wrong usage.
 * @param {string} command
 */
export function requireTypeScript(command) {
  const problem = typeScriptProblem(process.features.typescript, process.versions.node, command)
  if (problem === undefined) return
  console.error(problem)
  process.exit(2)
}
