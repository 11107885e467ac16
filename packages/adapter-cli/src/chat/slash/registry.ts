/** All slash commands, in the order of `/help`. */
import { CHECKPOINT } from './checkpoint.ts'
import { CONTEXT } from './context.ts'
import { COST } from './cost.ts'
import { EXIT } from './exit.ts'
import { createHelp } from './help.ts'
import { MEMORY } from './memory.ts'
import { MODE } from './mode.ts'
import { MODEL } from './model.ts'
import { SESSION } from './session.ts'
import { UNDO } from './undo.ts'
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
