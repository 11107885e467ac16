// `npx nx g @cairn/tools:cli-command outline --summary="…"`
import { formatFiles } from '@nx/devkit'
import { insertBefore, pascalCase, refuseExisting } from './names.mjs'

const SOURCE = 'packages/adapter-cli/src'

/**
 * Writes a command with its test and enters it in the list. Throws where there is one of that name already.
 * @param {import('@nx/devkit').Tree} tree
 * @param {{ name: string, summary?: string }} options
 */
export default async function cliCommand(tree, { name, summary = `what ${name} does, in a few words` }) {
  const path = `${SOURCE}/commands/${name}.ts`
  refuseExisting(tree, path)
  const type = `${pascalCase(name)}Options`
  tree.write(
    path,
    `/** \`cairn ${name}\`: ${summary}. */
import type { CommonOptions, Context, Define } from '../command.ts'

type ${type} = CommonOptions

const HELP = \`
Examples:
  cairn ${name}
  cairn ${name} --json\`

export const define: Define = (command, context) => {
  command
    .description('${summary.replaceAll("'", "\\'")}.')
    .addHelpText('after', HELP)
    .action((options: ${type}) => run(options, context))
}

const run = async (options: ${type}, context: Context): Promise<void> => {
  const engine = await context.readEngine(options)
  const { sessions } = await engine.store.statistics()
  if (options.json === true) return context.json({ sessions })
  await context.terminal.line(\`Total  \${sessions}\`)
}
`,
  )
  tree.write(
    `${SOURCE}/e2e/${name}.e2e.test.ts`,
    `import { afterAll, describe, expect, it } from '@jest/globals'
import { createSandbox } from '../testing/run-cli.ts'

describe('cairn ${name}', () => {
  const sandbox = createSandbox()
  afterAll(() => sandbox.remove())

  it('answers over an empty store', async () => {
    const { code, stdout } = await sandbox.cairn('${name}', '--json')
    expect({ code, answer: JSON.parse(stdout) as unknown }).toEqual({ code: 0, answer: { sessions: 0 } })
  })
})
`,
  )
  insertBefore(
    tree,
    `${SOURCE}/program.ts`,
    /^ {2}graph: /m,
    `  '${name}': { group: ANALYSIS, summary: '${summary.replaceAll("'", "\\'")}', load: () => import('./commands/${name}.ts') },\n`,
  )
  await formatFiles(tree)
}
