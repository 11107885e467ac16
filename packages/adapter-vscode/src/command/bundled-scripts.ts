/**
 * The scripts that start the command inside of the extension. They lie in a folder that stays where it is while the
 * extension moves with each version, so that terminals and agents' settings can name them, and run on the editor's own
 * Node, as there may be no other.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface BundledProgram {
  /** The folder of the program in the extension, with `bin/cairn.js`; absolute, and no link. */
  readonly program: string
  /** The folder that the scripts are written to; absolute. */
  readonly folder: string
  /** The program that runs the editor's extensions, which is Node or can be it. */
  readonly node: string
  /** Whether that program is Electron, which is Node only when it is told. */
  readonly isElectron: boolean
  readonly platform: NodeJS.Platform
}

const MARK = "Written by Cairn's extension, again each time that a window opens"

/** A word for a POSIX shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`

/** A path in a batch file, which reads `%` as the beginning of a variable. */
const batchPath = (path: string): string => `"${path.replaceAll('%', '%%')}"`

/**
 * Returns the scripts for Linux and macOS, by path: the command, and its Node, which falls back to the one on the PATH
 * if the editor has moved.
 */
const posixScripts = ({ folder, node, isElectron }: BundledProgram): readonly (readonly [string, string])[] => [
  [
    'bin/cairn',
    `#!/bin/sh\n# ${MARK}.\nexec ${quoted(join(folder, 'bin', 'cairn-node'))} ${quoted(join(folder, 'bin', 'cairn.js'))} "$@"\n`,
  ],
  [
    'bin/cairn-node',
    `#!/bin/sh
# ${MARK}. An editor that was updated may have moved: then it is the Node on the PATH.
export CAIRN_PROGRAM_FOLDER=${quoted(folder)}
if [ -x ${quoted(node)} ]; then
  ${isElectron ? 'export ELECTRON_RUN_AS_NODE=1\n  ' : ''}exec ${quoted(node)} "$@"
fi
exec node "$@"
`,
  ],
]

/** Returns the scripts for Windows, by path: the command and its Node, the editor's alone. */
const windowsScripts = ({ folder, node, isElectron }: BundledProgram): readonly (readonly [string, string])[] => [
  [
    'bin/cairn.cmd',
    `@${batchPath(join(folder, 'bin', 'cairn-node.cmd'))} ${batchPath(join(folder, 'bin', 'cairn.js'))} %*\r\n`,
  ],
  [
    'bin/cairn-node.cmd',
    [
      '@echo off',
      `rem ${MARK}.`,
      'setlocal',
      `set "CAIRN_PROGRAM_FOLDER=${folder.replaceAll('%', '%%')}"`,
      ...(isElectron ? ['set "ELECTRON_RUN_AS_NODE=1"'] : []),
      `${batchPath(node)} %*`,
      '',
    ].join('\r\n'),
  ],
]

/** A script that goes on in the extension's own, and does `otherwise` where the extension was removed. */
const forwarding = (target: string, otherwise: string): string =>
  `// ${MARK}.
const { existsSync } = require('node:fs')
const { pathToFileURL } = require('node:url')
const target = ${JSON.stringify(target)}
if (existsSync(target)) import(pathToFileURL(target).href)
else ${otherwise}
`

/** Returns the scripts: paths relative to their folder, with `/`, and what stands in each. */
export const bundledScripts = (bundled: BundledProgram): ReadonlyMap<string, string> => {
  const { program, platform } = bundled
  const gone =
    "cairn: the extension that this command came with is not there any more. Install Cairn's extension again."
  return new Map([
    // A folder above may say that its scripts are ES modules, which these are not.
    ['package.json', '{ "type": "commonjs" }\n'],
    ...(platform === 'win32' ? windowsScripts(bundled) : posixScripts(bundled)),
    [
      'bin/cairn.js',
      forwarding(
        join(program, 'bin', 'cairn.js'),
        `{\n  console.error(${JSON.stringify(gone)})\n  process.exitCode = 1\n}`,
      ),
    ],
    // A hook never fails the agent that runs it.
    ['dist/hook.js', forwarding(join(program, 'dist', 'hook.js'), 'process.exitCode = 0')],
  ])
}

/** Returns the text of a file; undefined if it can't be read. */
const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Writes the scripts that are not as they should be, each in one step: other windows, terminals and agents may be using
 * them. Throws the file system's error.
 */
export const writeBundledScripts = (bundled: BundledProgram): void => {
  for (const [name, text] of bundledScripts(bundled)) {
    const path = join(bundled.folder, ...name.split('/'))
    if (textOf(path) === text) continue
    mkdirSync(dirname(path), { recursive: true })
    const fresh = `${path}.${process.pid}.tmp`
    writeFileSync(fresh, text)
    chmodSync(fresh, 0o755)
    renameSync(fresh, path)
  }
}
