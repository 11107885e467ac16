/** The tools, in the order in which clients list them. Few, because clients limit how many a model is shown. */
import { files } from './files.ts'
import { getMessage } from './get-message.ts'
import { getSession } from './get-session.ts'
import { memory } from './memory.ts'
import { notes } from './notes.ts'
import { projectMapTool } from './project-map.ts'
import { recall } from './recall.ts'
import { relatedFiles } from './related-files.ts'
import { remember } from './remember.ts'
import { sessionContext } from './session-context.ts'

/** All tools, in the order in which they are listed. */
export const TOOLS = [
  sessionContext,
  recall,
  getMessage,
  getSession,
  memory,
  remember,
  notes,
  files,
  projectMapTool,
  relatedFiles,
]
