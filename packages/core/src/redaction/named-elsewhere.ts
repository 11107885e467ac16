/**
 * Secrets that their name gives away where no `=` or `:` stands between them: elements and attributes of XML, settings of
 * a Dockerfile or of fish, and what was encoded for an address.
 */
import { isAssigned, isAssignedBare, kindOf, NAME } from './assigned.ts'
import { type Hints, type SecretPattern, START } from './secret-pattern.ts'

const LONG = '[A-Za-z0-9_.-]{0,40}'
/** `ENV NAME value` of a Dockerfile, `set -gx NAME value` of fish. */
const SETS = String.raw`(?:ENV[ \t]{1,4}|set[ \t]{1,4}-[a-zA-Z]{1,4}[ \t]{1,4})[A-Za-z0-9_]{0,40}${NAME}[ \t]+`
/** Of it what a hint asks for: rare enough without the names, which make a large expression. */
const SOME_NAME = String.raw`[ \t]{1,4}[A-Za-z0-9_-]{3,80}[ \t]`
const XML_VALUE = String.raw`[^\s<>"'\\&]{8,200}`
/** A name and `=` as an address has them; the value ends with the next `&` or blank. */
const ENCODED_NAME = `${NAME}%3[Dd]`

/** The text without `%` escapes; as it is where they are damaged. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Tried behind all secrets that have a form of their own. */
export const NAMED_ELSEWHERE: readonly SecretPattern[] = [
  {
    kind: kindOf,
    isSecret: isAssigned,
    expression: new RegExp(String.raw`(?<keep><${LONG}${NAME}>)${XML_VALUE}(?=<\\?/)`, 'g'),
  },
  {
    kind: kindOf,
    isSecret: isAssigned,
    expression: new RegExp(
      String.raw`(?<keep>(?:key|name)=\\*["'][^"'\\]{0,60}${NAME}\\*["']\s{1,8}value=\\*["'])${XML_VALUE}(?=\\*["'])`,
      'g',
    ),
  },
  {
    kind: kindOf,
    isSecret: isAssignedBare,
    expression: new RegExp(String.raw`(?<keep>${START}${SETS}\\*["']?)[^\s"'\x60\\<>(){}[\]$|,;&]{8,200}`, 'g'),
  },
  {
    kind: kindOf,
    isSecret: (found, position) => isAssigned(decoded(found), position),
    expression: new RegExp(
      `(?<keep>${ENCODED_NAME})(?:[A-Za-z0-9_.~*!-]|%(?!26|0[AaDd]|2[027]|3[Bb])[0-9A-Fa-f]{2}){8,200}`,
      'g',
    ),
  },
]

/** One of them is true for every text that any of these patterns matches. */
export const ELSEWHERE_HINTS: Hints = {
  signs: [
    ['>', `(?<=<${LONG}${NAME}>)${XML_VALUE}<`],
    ['=', String.raw`(?<=\svalue=)(?<=${NAME}\\*["']\s{1,8}value=)`],
    ['%', `3[Dd](?<=${ENCODED_NAME})`],
    ['V', String.raw`(?<=ENV)${SOME_NAME}`],
    ['-', String.raw`(?<=set[ \t]{1,4}-)[a-zA-Z]{1,4}${SOME_NAME}`],
  ],
}
