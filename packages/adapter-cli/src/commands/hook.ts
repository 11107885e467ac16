/** Help for `cairn hook`. Agents run a separate program, which bin/cairn.js starts directly. */
import type { Context, Define } from '../command.ts'
import { runHookProgram } from '../hooks/hook-program.ts'
import type { HookProcess } from '../hooks/hook-program.ts'

const HELP = `
Agents run this at their events; cairn setup adds it to their settings. It reads
the agent's JSON from standard input and answers in that agent's format. It
never fails or delays the agent: it exits with 0 within 2 seconds, and prints
nothing for input it can't read. cairn doctor shows its log.

  session-start        gives profile, memory and the last sessions; after a
                       compaction the task, todo list and files in work;
                       tells you once about new suggestions for the memory
  user-prompt-submit   adds earlier messages that are very likely relevant
  pre-compact, post-compact, stop, session-end
                       start an import in the background
  incognito            marks a session for good: none of it is imported

Agents: claude-code (the default), codex, gemini, copilot, opencode, cline, pi.

With cairn config set hooks.checkpoints true, user-prompt-submit and stop also
start a checkpoint of the project in the background.

To switch it off: CAIRN_HOOKS=off, or cairn config set hooks.enabled false (also
hooks.context, hooks.recall, hooks.import, hooks.suggestions). For a session
that leaves no trace, put CAIRN_INCOGNITO=1 before the agent's command, or set
hooks.incognito in its project.

Examples:
  cairn hook session-start < event.json
  cairn hook stop --agent codex < event.json
  cairn hook incognito --session 0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d11
  cairn config set hooks.recall false`

/** Declares `cairn hook`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('For agents to run when a session starts, a prompt is sent or a turn ends.')
    .argument('<event>', 'session-start, user-prompt-submit, pre-compact, post-compact, stop, session-end or incognito')
    .option('--agent <name>', 'the agent, which decides the format of the answer')
    .option('--session <id>', 'with incognito: the session, by the id its agent gave it')
    .addHelpText('after', HELP)
    .action(async (event: string, options: Readonly<Record<string, unknown>>) =>
      context.setExitCode(await runHookProgram([event, ...argumentsOf(options)], hookProcess(context))),
    )
}

/** Returns the options that the hook program understands, as arguments; others are left out. In a fixed order. */
const argumentsOf = (options: Readonly<Record<string, unknown>>): readonly string[] => [
  ...['agent', 'session', 'store'].flatMap((name) => {
    const value = options[name]
    return typeof value === 'string' ? [`--${name}`, value] : []
  }),
  ...['json', 'incognito'].flatMap((name) => (options[name] === true ? [`--${name}`] : [])),
]

/** Returns the process of a command as hooks see it: texts go to standard output, notes to standard error. */
export const hookProcess = ({ surroundings, terminal }: Context): HookProcess => ({
  surroundings,
  write: async (text) => {
    await terminal.write(text)
  },
  note: (text) => terminal.note(text),
})
