/** The steps of a dashboard's build, read from what Nx and Next print. */

/** What Next prints when a step begins, and our name for the step. */
const STEPS: readonly (readonly [RegExp, string])[] = [
  [/Creating an optimized production build/, 'compiling the pages'],
  [/Running TypeScript|Linting and checking validity of types/, 'checking types'],
  [/Collecting page data/, 'collecting the pages'],
  [/Generating static pages/, 'writing the pages'],
  [/Finalizing page optimization|Collecting build traces/, 'finishing'],
]
const DEPENDENCIES = /Running target build for project \S+ and (\d+) tasks? it depends on/
const TASK = /> nx run (?:@cairn\/)?([\w-]+):([\w-]+)/

/**
 * Returns a function that takes a build's output in pieces of any length and calls `onStep` once when a step begins. A
 * last line without a line end is not read.
 */
export const createBuildSteps = (onStep: (step: string) => void): ((text: string) => void) => {
  let rest = ''
  let total = 1
  let last = ''
  const begun = new Set<string>()
  const begin = (step: string): void => {
    if (step !== last) onStep(step)
    last = step
  }
  /** Reads a line: how many tasks there are, that one begins, or that a step of Next does; other lines say nothing. */
  const readLine = (line: string): void => {
    const dependencies = DEPENDENCIES.exec(line)?.[1]
    if (dependencies !== undefined) total = Number(dependencies) + 1
    const [, project, target] = TASK.exec(line) ?? []
    if (project !== undefined && target !== undefined) {
      const task = target === 'build' ? project : `${project} (${target})`
      begun.add(task)
      // There may be more tasks than Nx announced.
      begin(`${task}, step ${begun.size} of ${Math.max(total, begun.size)}`)
    }
    const step = STEPS.find(([pattern]) => pattern.test(line))?.[1]
    if (step !== undefined) begin(step)
  }
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) readLine(line)
  }
}
