/** All slash commands, in the order of `/help`. */
import { CHECKPOINT, UNDO } from './checkpoint.ts'
import { CONTEXT, COST } from './context.ts'
import { MEMORY } from './memory.ts'
import { SESSION } from './session.ts'
import { EXIT, MODE, MODEL, createHelp } from './settings.ts'
import type { SlashCommand } from './slash-command.ts'

/** All slash commands, in the order of `/help`. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  MEMORY,
  SESSION,
  CONTEXT,
  COST,
  CHECKPOINT,
  UNDO,
  MODEL,
  MODE,
  createHelp(() => SLASH_COMMANDS),
  EXIT,
]
