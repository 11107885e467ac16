/** Credentials that the text around them gives away: headers, addresses, connection strings, blocks. */
import { PGPASS_HINT, PGPASS_PATTERNS } from './pgpass.ts'
import {
  AMPERSAND,
  BASE64_OF_ASCII,
  behindRarest,
  eitherCase,
  END,
  type Hints,
  isExampleOfAws,
  isPlaceholder,
  looksRandom,
  QUOTE,
  type SecretPattern,
  START,
} from './secret-pattern.ts'

/** A secret key of AWS: 40 characters of base64, no part of a longer run. */
const AWS_SECRET = String.raw`(?<=[^A-Za-z0-9/+]|\\[nrtbf])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])`

const isAwsSecret = (found: string): boolean => looksRandom(found) && !isExampleOfAws(found)
/** Names that stand before a secret key of AWS. */
const AWS_NAME = '(?:secret|Secret|SECRET|aws|Aws|AWS)'
/** What may stand between the name and the key. */
const AFTER_NAME = String.raw`[\w\s.:=>"'\\\x60-]`

const PEM_BEGIN = String.raw`-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----`
const PEM_END = String.raw`-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----`
/** Base64 lines, headers (`Proc-Type: 4,ENCRYPTED`), and the line numbers that tools put before them; no other block. */
const PEM_BODY = String.raw`(?:\\+[nrt]|(?!-----)[A-Za-z0-9+/=\s:,.→|-])`

/** What follows `-----BEGIN` of a private key in base64: of any kind, RSA, EC, DSA, OPENSSH, ENCRYPTED, PGP. */
const ENCODED_PRIVATE = [
  'BQUklWQVRF',
  'BSU0EgUFJJVkFURS',
  'BFQyBQUklWQVRF',
  'BEU0EgUFJJVkFURS',
  'BPUEVOU1NIIFBSSVZBVE',
  'BFTkNSWVBURUQgUFJJVkFURS',
  'BQR1AgUFJJVkFURS',
]

/** Tried before all others: what they hold has other forms, too. */
export const BLOCK_PATTERNS: readonly SecretPattern[] = [
  { kind: 'private-key', expression: new RegExp(`${PEM_BEGIN}${PEM_BODY}{40,}${PEM_END}`, 'g') },
  // A block that was cut off: its body is as secret as the whole.
  {
    kind: 'private-key',
    expression: new RegExp(
      String.raw`${PEM_BEGIN}(?:(?:\\+[nrt]|\s)+[A-Za-z0-9+/=]{40,76}){1,}(?:\\+[nrt]|\s)*[A-Za-z0-9+/=]*`,
      'g',
    ),
  },
  // In base64, as settings and Kubernetes hold it, in one line or in several.
  {
    kind: 'private-key',
    expression: new RegExp(
      String.raw`${START}(?=LS0tLS1CRUdJTi(?:${ENCODED_PRIVATE.join('|')}))(?:(?:[A-Za-z0-9+/]{76}|[A-Za-z0-9+/]{64})(?:(?:\\+r)?\\+n|\r?\n)[ \t]{0,40})*[A-Za-z0-9+/]{4,}={0,2}(?![A-Za-z0-9+/=:_-])`,
      'g',
    ),
  },
  // Before the id is replaced: it says what stands beside it.
  {
    kind: 'aws-secret-key',
    expression: new RegExp(
      String.raw`(?<keep>${START}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}${END}[\s\S]{0,80}?)${AWS_SECRET}`,
      'g',
    ),
    isSecret: isAwsSecret,
  },
]

/** One of them is true for every text that one of these patterns matches. */
export const BLOCK_HINTS: Hints = {
  signs: [
    ['-', '----BEGIN [A-Z0-9 ]{0,40}PRIVATE'],
    ['A', '(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}'],
    ...ENCODED_PRIVATE.map((kind) => behindRarest(`LS0tLS1CRUdJTi${kind}`, '')).filter((hint) => hint !== undefined),
  ],
}

const AUTHORIZATION = String.raw`[Aa]${eitherCase('uthorization')}${QUOTE}\s*[:=,]\s*`
/** Schemes that GitHub, Django, Okta and others have in place of `Bearer`. */
const SCHEME = `(?:${['token', 'apikey', 'key', 'ssws', 'bot'].map(eitherCase).join('|')})`
/** White space, also as JSON writes it. */
const GAP = String.raw`(?:\s|\\+[nrt])+`
/** The same with the numbers that tools put before lines. */
const LINE_GAP = String.raw`(?:\s|\\+[nrt]|\d{1,5}(?:→|\\+t|\s))+`
/** A line of `.netrc`, as far as the login. */
const MACHINE = String.raw`machine${GAP}[^\s"'\\.]{1,60}\.[^\s"'\\]{1,200}${LINE_GAP}login${GAP}[^\s"'\\]{1,100}`
/** Commands that take a password behind a letter, as far as that. */
const OPTIONS = String.raw`\s(?:[^\n|;\\]{0,200}?\s)?`
/** With a blank behind the letter or without one, with one, and without. */
const ANY_BLANK = String.raw`(?:sshpass\s+-p|unzip${OPTIONS}-P)`
const BLANK = String.raw`(?:(?:docker|podman)\s+login${OPTIONS}-p|redis-cli${OPTIONS}-a)`
const NO_BLANK = `mysql(?:dump|admin)?${OPTIONS}-p`
const COMMAND = String.raw`(?:${ANY_BLANK}\s?|${BLANK}\s+|${NO_BLANK}|(?<=\s)-(?:store|key)pass\s+|(?<=\s)-pass(?:in|out)?\s+pass:)`
/** What follows the first `-` of an option that names a user and a password. */
const USER_OPTION = String.raw`(?:[a-zA-Z]{0,6}u|-user|-proxy-user)(?:=|[ \t]{0,8})\\*["']?[^\s:"'\x60\\<>$\{\}*/]{1,100}:`

/** Whether a text is `user:password` in base64. */
const isUserAndPassword = (found: string): boolean => {
  try {
    return /^[\x21-\x39\x3b-\x7e]{1,100}:[\x20-\x7e]{1,300}$/.test(atob(found))
  } catch {
    return false
  }
}

/** Whether the text before an option ends in a command `curl` on the same line, with its arguments so far. */
const isCurl = (before: string): boolean => {
  const command = before.lastIndexOf('curl')
  return (
    command >= 0 && /^curl\s[^\n|;]*$/.test(before.slice(command)) && /(?:^|\W|\\[nrt])$/.test(before.slice(0, command))
  )
}
/** How far before `-u` the command may stand that it belongs to. */
const COMMAND_SPAN = 400

/** As far as the first cookie's name. */
const COOKIE = String.raw`${eitherCase('cookie')}(?:${QUOTE}\s*[:=,]|[ \t])\s*${QUOTE}`
const COOKIE_NAME = String.raw`[\w.%~!#$&*+^|-]{1,100}`
/** Names of cookies that stand for somebody who is logged in. */
const SESSION_COOKIE =
  /sess|^sid$|[._-]sid$|^connect\.sid$|auth|token|jwt|log(?:ged)?[_-]?in|remember|csrf|xsrf|^__host-|^__secure-|credential|ticket|^s$|^d$/i
/** Whether a cookie's value looks like a session's. */
const isCookieValue = (value: string): boolean => value.length >= 16 && /\d/.test(value) && /[A-Za-z]/.test(value)

/** A JSON web token; without `-` before it, so that one run of characters has one beginning. */
const JWT = String.raw`(?<!-)eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}`

export const CONTEXT_PATTERNS: readonly SecretPattern[] = [
  {
    kind: 'aws-secret-key',
    expression: new RegExp(
      String.raw`(?<keep>(?:aws_?secret_?access_?key|secret_?access_?key|aws_?secret_?key)${QUOTE}\s*(?:[:=]|=>)\s*${QUOTE})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])`,
      'gi',
    ),
    isSecret: (found) => !isExampleOfAws(found),
  },
  {
    kind: 'aws-secret-key',
    expression: new RegExp(
      // No other name between, so that of many names only the last one is followed.
      `(?<keep>(?<![A-Za-z0-9])${AWS_NAME}(?:(?!(?<![A-Za-z0-9])${AWS_NAME})${AFTER_NAME}){0,40}?)${AWS_SECRET}`,
      'g',
    ),
    isSecret: isAwsSecret,
  },
  {
    kind: 'slack-webhook',
    expression: new RegExp(
      String.raw`${START}https:\\?/\\?/hooks\.slack\.com\\?/(?:services|workflows|triggers)\\?/[A-Z0-9]{6,}\\?/[A-Z0-9]{6,}\\?/[A-Za-z0-9]{20,}`,
      'g',
    ),
  },
  {
    kind: 'discord-webhook',
    expression:
      /(?<keep>discord(?:app)?\.com\\?\/api\\?\/(?:v\d{1,2}\\?\/)?webhooks\\?\/\d{15,22}\\?\/)[A-Za-z0-9_-]{60,}/g,
  },
  {
    kind: 'teams-webhook',
    expression:
      /(?<keep>\.webhook\.office\.com\\?\/webhookb2\\?\/)[0-9a-f-]{36}@[0-9a-f-]{36}\\?\/IncomingWebhook\\?\/[0-9a-f]{32}\\?\/[0-9a-f-]{36}(?:\\?\/[\w-]{1,80})?/g,
  },
  {
    kind: 'zapier-webhook',
    expression: /(?<keep>hooks\.zapier\.com\\?\/hooks\\?\/catch\\?\/)\d{4,12}\\?\/[a-z0-9]{5,12}/g,
  },
  {
    kind: 'password-hash',
    expression: /(?<=[a-z0-9_-]:)\$(?:6|5|y|1|2[aby])\$[./A-Za-z0-9$=]{20,200}(?=:)/g,
  },
  ...PGPASS_PATTERNS,
  {
    kind: 'url-password',
    expression: /(?<keep>%3A%2F%2F[\w.~-]{0,100}%3A)(?:[\w.~*!-]|%(?!40|2F|2[027]|0[AD])[0-9A-F]{2}){1,200}(?=%40)/g,
  },
  {
    kind: 'telegram-bot-token',
    expression: new RegExp(
      String.raw`(?<keep>(?:(?<![A-Za-z0-9_])|(?<=\\[nrtbf]))(?:bot)?)[0-9]{8,10}(?::|%3A)AA[A-Za-z0-9_-]{33}${END}`,
      'g',
    ),
  },
  {
    kind: 'azure-account-key',
    expression: new RegExp(
      String.raw`(?<keep>(?:Account|SharedAccess|sharedAccess)Key=)[A-Za-z0-9+/%]{40,}={0,2}`,
      'g',
    ),
  },
  {
    kind: 'azure-sas-signature',
    expression: new RegExp(String.raw`(?<keep>(?:\?|${AMPERSAND}|\s)sig=)[A-Za-z0-9+/%_-]{40,}={0,2}`, 'g'),
    isSecret: looksRandom,
  },
  {
    kind: 'azure-client-secret',
    expression: new RegExp(
      String.raw`(?<=[^\w.~-]|\\[nrtbf])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![\w~-])`,
      'g',
    ),
  },
  {
    kind: 'sentry-dsn',
    expression: /(?<keep>https?:\\?\/\\?\/)[0-9a-f]{32}(?::[0-9a-f]{32})?(?=@[\w.-]{3,200}(?::\d{1,5})?\\?\/\d)/g,
  },
  { kind: 'jwt', expression: new RegExp(`${START}${JWT}${END}`, 'g') },
  {
    kind: 'url-password',
    // Templates (`$NAME`, `<password>`, `{…}`, `***`) and asterisks are no secrets.
    expression: /(?<keep>[A-Za-z0-9]:\\?\/\\?\/[^\s:@/"'\\<>${}*]{0,100}:)[^\s@/"'\\<>${}*[\]]{1,200}(?=@)/g,
    // A port with what is asked there: `host:8080?to=a@b`.
    isSecret: (found) => !/^\d{1,5}[?#]/.test(found),
  },
  // A token in the place of a user.
  {
    kind: 'url-password',
    expression: /(?<keep>https?:\\?\/\\?\/)[A-Za-z0-9_-]{20,}(?=@)/g,
    isSecret: (found) => looksRandom(found) || /^(?=[0-9]{0,40}[a-f])[0-9a-f]{32,}$/.test(found),
  },
  {
    kind: 'bearer-token',
    expression:
      /(?<keep>(?<![A-Za-z0-9])[Bb][Ee][Aa][Rr][Ee][Rr]\s+)(?=[A-Za-z0-9._~+/-]*[0-9])[A-Za-z0-9._~+/-]{20,}=*/g,
  },
  {
    kind: 'bearer-token',
    expression: new RegExp(
      String.raw`(?<keep>${AUTHORIZATION}${QUOTE}${SCHEME}\s+)(?=[A-Za-z0-9._~+/-]{0,100}[0-9])[A-Za-z0-9._~+/-]{20,}=*`,
      'g',
    ),
  },
  // `auth` of Docker's settings, `_auth` of npm's.
  {
    kind: 'basic-credentials',
    expression: new RegExp(
      String.raw`(?<keep>(?<![A-Za-z0-9])auth${QUOTE}\s*[:=]\s*${QUOTE})[A-Za-z0-9+/]{8,}={0,2}(?![A-Za-z0-9+/=_-])`,
      'g',
    ),
    isSecret: isUserAndPassword,
  },
  {
    kind: 'password',
    expression: new RegExp(
      String.raw`(?<keep>${MACHINE}(?:${LINE_GAP}account${GAP}[^\s"'\\]{1,100})?${LINE_GAP}password${GAP})[^\s"'\\[\]]{4,}`,
      'g',
    ),
  },
  {
    kind: 'password',
    expression: new RegExp(
      String.raw`(?<keep>(?<=^|[^\w-]|\\[nrt])${COMMAND}\\*["']?)[^\s"'\\\x60$<>()\{\}[\]|;&]{6,}`,
      'g',
    ),
    isSecret: (found) => /[0-9]/.test(found) && /[A-Za-z]/.test(found) && !isPlaceholder(found),
  },
  {
    kind: 'discord-token',
    expression: new RegExp(
      String.raw`${START}[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_.-])`,
      'g',
    ),
    isSecret: looksRandom,
  },
  {
    kind: 'basic-credentials',
    expression: new RegExp(
      String.raw`(?<keep>${eitherCase('authorization')}${QUOTE}\s*[:=,]\s*${QUOTE}${eitherCase('basic')}\s+)[A-Za-z0-9+/_-]{8,}={0,2}`,
      'g',
    ),
    isSecret: (found) => /[0-9=]|[a-z][A-Z]/.test(found),
  },
  {
    kind: 'url-password',
    expression: new RegExp(String.raw`(?<keep>(?<=\s)-${USER_OPTION})[^\s"'\x60\\<>$\{\}*[\]]{1,200}`, 'g'),
    isSecret: (found, { text, start, keep }) =>
      isCurl(text.slice(Math.max(0, start - keep.length - COMMAND_SPAN), start - keep.length)) && !isPlaceholder(found),
  },
  {
    kind: 'session-cookie',
    expression: new RegExp(
      String.raw`(?:${eitherCase('set')}-)?${COOKIE}(?:${COOKIE_NAME}=[^\s"'\\;]*(?:;\s*|(?=[\s"'\\]|$)))+`,
      'g',
    ),
    parts: {
      expression: /(?<keep>(?<=[\s;:=,"'])[\w.%~!#$&*+^|-]{1,100}=)[^\s"'\\;[\]]+/g,
      isSecret: (value, { keep }) => SESSION_COOKIE.test(keep.slice(0, -1)) && isCookieValue(value),
    },
  },
]

/** One of them is true for every text that one of these patterns matches. */
export const CONTEXT_HINTS: Hints = {
  signs: [
    [
      ':',
      String.raw`(?:AA[A-Za-z0-9_-]{33}|\$(?:[156y]|2[aby])\$[./A-Za-z0-9$=]{20}|${PGPASS_HINT}|\\?/\\?/(?:[0-9a-f]{32}|[^\s:@/"'\\<>$\{\}*]{0,100}:[^\s@/"'\\<>$\{\}*[\]]{1,200}@|[A-Za-z0-9_-]{20,}@))`,
    ],
    [':=', String.raw`(?<=auth${QUOTE}\s*[:=])\s*${QUOTE}(?:${BASE64_OF_ASCII}){2}`],
    ['=', '(?<=(?:Key|sig)=)[A-Za-z0-9+/%_-]{40}'],
    ['=', `(?<=${COOKIE}${COOKIE_NAME}=)`],
    ['%', String.raw`3A(?:AA[A-Za-z0-9_-]{33}|%2F%2F[\w.~-]{0,100}%3A)`],
    ['-', String.raw`(?<=\s-)(?:(?:store|key)pass\s|pass(?:in|out)?\s+pass:)`],
    ['-', `(?<=\\s-)[paP](?<=${ANY_BLANK}|${BLANK}|${NO_BLANK})`],
    ['-', `(?<=\\s-)${USER_OPTION}`],
    ['.', String.raw`(?<=[MNO][A-Za-z0-9_-]{23,27}\.)[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}`],
    ['.', String.raw`(?:eyJ[A-Za-z0-9_-]{8}|slack\.com|zapier\.com|office\.com\\?/webhookb2)`],
    ['.', String.raw`com\\?/api(?<=discord(?:app)?\.com\\?/api)`],
    ['~', '(?<=[0-9]Q~)[A-Za-z0-9_~.-]{30}'],
    [
      'Zz',
      String.raw`(?<=${eitherCase('authoriz')})${eitherCase('ation')}${QUOTE}\s*[:=,]\s*${QUOTE}(?:${SCHEME}\s+[A-Za-z0-9._~+/-]{20}|${eitherCase('basic')}\s+[A-Za-z0-9+/_-]{8})`,
    ],
  ],
  words: [String.raw`[Bb]${eitherCase('earer')}\s+[A-Za-z0-9._~+/-]{20}`, MACHINE],
  runs: [`${AWS_NAME}${AFTER_NAME}{1,40}?${AWS_SECRET}`],
}
