/** What reads source files, by itself: a bundle of the whole entry would hold what only the command line uses. */
export { createSourceAccess } from '@cairn/core/node/sources'
