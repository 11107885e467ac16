/** Help for `cairn hook`. Agents run a separate program, which bin/cairn.js starts directly. */
import type { Context, Define } from '../command.ts'
import { runHookProgram } from '../hooks/hook-program.ts'
import type { HookProcess } from '../hooks/hook-program.ts'

const HELP = `
Agents run this at their events; cairn setup writes it into their settings. The
agent's JSON is read from standard input, the answer is in that agent's form.
It never fails or holds up the agent: it ends with 0, after 2 seconds at most,
and prints nothing for what it can't read. Its log is shown by cairn doctor.

  session-start        gives profile, memory and the last sessions; after a
                       compaction the task, todo list and files in work;
                       tells you of new suggestions for the memory, once
  user-prompt-submit   adds earlier messages that very likely bear on the prompt
  pre-compact, post-compact, stop, session-end
                       start one import of what is new, and don't wait for it
  incognito            marks a session for ever: nothing of it is taken in

Agents: claude-code (the default), codex, gemini, copilot, opencode, cline, pi.

With cairn config set hooks.checkpoints true, user-prompt-submit and stop also
start a checkpoint of the project, and don't wait for it.

Switch off: CAIRN_HOOKS=off, or cairn config set hooks.enabled false (also
hooks.context, hooks.recall, hooks.import, hooks.suggestions). A session that
leaves no trace: CAIRN_INCOGNITO=1 before the agent's name, or hooks.incognito
in its project.

Examples:
  cairn hook session-start < event.json
  cairn hook stop --agent codex < event.json
  cairn hook incognito --session 0ccf1a04-7d1b-4a9e-9d63-0a1f1c5b8d11
  cairn config set hooks.recall false`

/** Declares `cairn hook`: description, options, help and action. */
export const define: Define = (command, context) => {
  command
    .description('What agents run when a session starts, a prompt is sent, a turn ends.')
    .argument('<event>', 'session-start, user-prompt-submit, pre-compact, post-compact, stop, session-end or incognito')
    .option('--agent <name>', "whose event it is, which decides the answer's form")
    .option('--session <id>', 'with incognito: which session, by the id that its agent gave it')
    .addHelpText('after', HELP)
    .action(async (event: string, options: Readonly<Record<string, unknown>>) =>
      context.setExitCode(await runHookProgram([event, ...argumentsOf(options)], hookProcess(context))),
    )
}

/** The options that the program heeds, as it reads them. */
const argumentsOf = (options: Readonly<Record<string, unknown>>): readonly string[] => [
  ...['agent', 'session', 'store'].flatMap((name) => {
    const value = options[name]
    return typeof value === 'string' ? [`--${name}`, value] : []
  }),
  ...['json', 'incognito'].flatMap((name) => (options[name] === true ? [`--${name}`] : [])),
]

/** The process that a command runs in, as hooks see it: texts go to standard output, notes to standard error. */
export const hookProcess = ({ surroundings, terminal }: Context): HookProcess => ({
  surroundings,
  write: async (text) => {
    await terminal.write(text)
  },
  note: (text) => terminal.note(text),
})
