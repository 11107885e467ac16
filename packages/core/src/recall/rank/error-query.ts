/** Queries that are an error message, or a line of one: a stack line, a code, what a compiler or a test prints. */

/** "src/app.ts:12:5", "app.py", line 3, "at run (node:internal…)". */
const STACK_LINE = /[\w)]\.\w{1,5}:\d+|"[^"\n]+", line \d+|^\s*at \S+ \(|\bnode:internal\b|\bgoroutine \d+/m
/** "TypeError", "NullPointerException"; "ENOENT", "ERR_REQUIRE_ESM"; "TS2345", "E0308", "SQLSTATE 23505"; "exit code 1", "HTTP 502". */
const CODE =
  /\b[A-Z]\w*(?:Error|Exception|Panic|Fault)\b|\bE[A-Z]{4,}\b|\bERR_\w+|\bSQLITE_[A-Z]+|\bSQLSTATE\b|\b(?:TS|CS|E|C|LNK|ORA|RUF|SC)-?\d{3,5}\b|\b(?:exit|error|status) (?:code|status) -?\d+|\bHTTP [45]\d\d\b|\bSIG(?:SEGV|KILL|ABRT|TERM|PIPE)\b/
/** Words that programs use of failures; people also say them, so a question with one is no error message. */
const FAILURE =
  /\b(?:error|\d+ errors|exceptions?|fatal\w*|panic\w*|fail(?:ed|s|ure|ures|ing)?|traceback|segfault|cannot|can't|could not|couldn't|unable to|undefined|undeclared|unresolved|unexpected|unknown|unrecognized|invalid|illegal|forbidden|denied|refused|mismatch|deprecated|no such|not (?:found|defined|assignable|a function|a module|checked|assigned|used|allowed|supported|exist|implemented|permitted)|is not|does not|did not match|timed out|out of (?:memory|range)|expected)\b/i
const MOST_CHARACTERS = 2_000

/**
 * Whether a query looks like an error message. `asks`: it is a question, in which only a stack line or a code counts.
 * Of a long query the beginning is looked at.
 */
export const looksLikeError = (query: string, asks: boolean): boolean => {
  const text = query.slice(0, MOST_CHARACTERS)
  return STACK_LINE.test(text) || CODE.test(text) || (!asks && FAILURE.test(text))
}
