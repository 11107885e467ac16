/**
 * What secrets look like. The patterns work on raw JSON lines as well as on plain text: there, a key may
 * follow an escape (`\nghp_…`), quotes are escaped, and a line break of a PEM block is written `\n`.
 */
import { ASSIGNED_HINT, ASSIGNED_PATTERNS, eitherCase } from './assigned.ts'
import type { SecretPattern } from './secret-pattern.ts'

/** Before a key: nothing that could make it the middle of a word; an escape's letter is no word. */
const START = String.raw`(?<=^|[^A-Za-z0-9_]|\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9A-F]{2})`
/** After a key: nothing that could be more of it. */
const END = '(?![A-Za-z0-9_])'

const key = (name: string, body: string): SecretPattern => ({
  name,
  expression: new RegExp(`${START}${body}${END}`, 'g'),
})

/** A quote as it stands in text, in JSON, or in JSON within JSON. */
const QUOTE = String.raw`(?:\\*["'])?`

/** What random letters have and words, paths and hashes of one alphabet have not. */
const looksRandom = (text: string): boolean =>
  count(text, /[A-Z]/g) >= 8 && count(text, /[a-z]/g) >= 5 && /\d/.test(text) && new Set(text).size >= 20
const count = (text: string, of: RegExp): number => text.match(of)?.length ?? 0

/** A secret key of AWS: 40 characters of base64, no part of a longer run. */
const AWS_SECRET = String.raw`(?<=[^A-Za-z0-9/+]|\\[nrtbf])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])`

const PEM_BEGIN = String.raw`-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----`
const PEM_END = String.raw`-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----`
/** Base64 lines, headers (`Proc-Type: 4,ENCRYPTED`), and the line numbers that tools put before them. */
const PEM_BODY = String.raw`(?:\\+[nrt]|[A-Za-z0-9+/=\s:,.→|-])`

/** In the order in which they are tried; the more specific first. */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  { name: 'private-key', expression: new RegExp(`${PEM_BEGIN}${PEM_BODY}{40,}?${PEM_END}`, 'g') },
  // A block that was cut off: its body is as secret as the whole.
  {
    name: 'private-key',
    expression: new RegExp(
      String.raw`${PEM_BEGIN}(?:(?:\\+[nrt]|\s)+[A-Za-z0-9+/=]{40,76}){1,}(?:\\+[nrt]|\s)*[A-Za-z0-9+/=]*`,
      'g',
    ),
  },
  // Before the id is replaced: it says what stands beside it.
  {
    name: 'aws-secret-key',
    expression: new RegExp(
      String.raw`(?<keep>${START}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}${END}[\s\S]{0,80}?)${AWS_SECRET}`,
      'g',
    ),
    isSecret: looksRandom,
  },
  key('aws-access-key', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}'),
  {
    name: 'aws-secret-key',
    expression: new RegExp(
      String.raw`(?<keep>(?:aws_?secret_?access_?key|secret_?access_?key|aws_?secret_?key)${QUOTE}\s*(?:[:=]|=>)\s*${QUOTE})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])`,
      'gi',
    ),
  },
  {
    name: 'aws-secret-key',
    expression: new RegExp(
      String.raw`(?<keep>(?<![A-Za-z0-9])(?:secret|Secret|SECRET|aws|Aws|AWS)[\w\s.:=>"'\\\x60-]{0,40}?)${AWS_SECRET}`,
      'g',
    ),
    isSecret: looksRandom,
  },
  key('github-token', '(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})'),
  key('gitlab-token', 'gl(?:pat|ptt|dt|rt|cbt|soat)-[A-Za-z0-9_-]{20,64}'),
  key('slack-token', '(?:xox[abeoprs]-(?:[A-Za-z0-9]+-){1,6}[A-Za-z0-9]{8,}|xapp-[0-9]-[A-Z0-9]+-[0-9]+-[A-Za-z0-9]+)'),
  key(
    'slack-webhook',
    String.raw`https:\\?/\\?/hooks\.slack\.com\\?/services\\?/T[A-Z0-9]{6,}\\?/B[A-Z0-9]{6,}\\?/[A-Za-z0-9]{20,}`,
  ),
  key('google-api-key', 'AIza[A-Za-z0-9_-]{35}'),
  key('anthropic-key', 'sk-ant-(?:[a-z0-9]+-)?[A-Za-z0-9_-]{24,}'),
  key('openai-key', 'sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{24,}'),
  key('openrouter-key', 'sk-or-v1-[0-9a-f]{64}'),
  // No dashes, and digits among the letters: not a name in kebab case.
  key('openai-key', 'sk-(?=[A-Za-z]*[0-9])(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{32,}'),
  key('stripe-key', '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{20,}'),
  key('stripe-webhook-secret', 'whsec_[A-Za-z0-9]{32,}'),
  key('npm-token', 'npm_[A-Za-z0-9]{36}'),
  key('pypi-token', 'pypi-AgE[A-Za-z0-9_-]{50,}'),
  key('sendgrid-key', String.raw`SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}`),
  key('digitalocean-token', 'do[opr]_v1_[0-9a-f]{64}'),
  key('twilio-key', 'SK[0-9a-f]{32}'),
  {
    name: 'azure-account-key',
    expression: /(?<keep>AccountKey=)[A-Za-z0-9+/]{86}==/g,
  },
  key('google-oauth-token', String.raw`ya29\.[A-Za-z0-9_-]{20,2048}`),
  key('vault-token', String.raw`hv[bsr]\.[A-Za-z0-9_-]{20,512}`),
  key('databricks-token', 'dapi[0-9a-f]{32}(?:-[0-9])?'),
  key('hugging-face-token', 'hf_[A-Za-z0-9]{30,}'),
  key('jwt', String.raw`eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}`),
  {
    name: 'url-password',
    // Templates (`$NAME`, `<password>`, `{…}`, `***`) and asterisks are no secrets.
    expression: new RegExp(
      String.raw`(?<keep>(?:https?|ftps?|postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb)(?:\+[a-z0-9]+)?:\\?/\\?/[^\s:@/"'\\<>$\{\}*]{0,100}:)[^\s:@/"'\\<>$\{\}*\[\]]{1,200}(?=@)`,
      'gi',
    ),
  },
  {
    name: 'bearer-token',
    expression: new RegExp(
      String.raw`(?<keep>(?<![a-z0-9])bearer\s+)(?=[A-Za-z0-9._~+/-]*[0-9])[A-Za-z0-9._~+/-]{20,}=*`,
      'gi',
    ),
  },
  {
    name: 'basic-credentials',
    expression: new RegExp(
      String.raw`(?<keep>${eitherCase('authorization')}${QUOTE}\s*[:=,]\s*${QUOTE}${eitherCase('basic')}\s+)[A-Za-z0-9+/_-]{8,}={0,2}`,
      'g',
    ),
    isSecret: (found) => /[0-9=]|[a-z][A-Z]/.test(found),
  },
  {
    name: 'url-password',
    expression: new RegExp(
      String.raw`(?<keep>\bcurl\s(?:[^\n|;]{0,400}?\s)?(?:-u|--user|--proxy-user)(?:=|[ \t]*)\\*["']?[^\s:"'\x60\\<>$\{\}*/]{1,100}:)[^\s"'\x60\\<>$\{\}*]{1,200}`,
      'g',
    ),
    isSecret: (found) =>
      !/^(?:your-?|my-?)?(?:pass|password|passwd|pwd|token|secret|api[-_]?key|x+|\.+|…)$/i.test(found),
  },
  ...ASSIGNED_PATTERNS,
]

/**
 * One look at a text for all of them: true for every text that any pattern matches, and cheap for the
 * many that none does. Parts that are common in code are drawn a little longer than in their pattern, and
 * what begins with the same letter stands together: at every place of a text each alternative costs time.
 */
export const PREFILTER = new RegExp(
  [
    '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE',
    'A(?:(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}|Iza[A-Za-z0-9_-]{35}|ccountKey=)',
    String.raw`[Ss](?:${eitherCase('ecret')}(?:_?(?:${eitherCase('access')}_?)?${eitherCase('key')}|[_-]?(?:${eitherCase('key')})?${ASSIGNED_HINT})|k(?:-(?:ant-|proj-|svcacct-|admin-|or-v1-|[A-Za-z0-9]{32})|_(?:live|test)_)|K[0-9a-f]{32}|G\.[A-Za-z0-9_-]{16})`,
    String.raw`(?:secret|Secret|SECRET|aws|Aws|AWS)[\w\s.:=>"'\\\x60-]{1,42}?[A-Za-z0-9/+]{38}`,
    'g(?:h[pousr]_[A-Za-z0-9]{36}|ithub_pat_|l(?:pat|ptt|dt|rt|cbt|soat)-)',
    'x(?:ox[abeoprs]-|app-)',
    String.raw`h(?:ooks\.slack\.com|f_[A-Za-z0-9]{30}|v[bsr]\.[A-Za-z0-9_-]{20})`,
    'rk_(?:live|test)_|whsec_|npm_[A-Za-z0-9]{36}',
    'd(?:o[opr]_v1_|api[0-9a-f]{32})',
    String.raw`eyJ[A-Za-z0-9_-]{8,2000}\.eyJ`,
    String.raw`ya29\.`,
    String.raw`:\\?\/\\?\/[^\s:@/"'\\<>$\{\}*]{0,100}:[^\s:@/"'\\<>$\{\}*[\]]{1,200}@`,
    String.raw`[Bb](?:${eitherCase('earer')}\s|${eitherCase('asic')}(?<=${eitherCase('authorization')}\\*["']?\s*[:=,]\s*\\*["']?.{5})\s)`,
    String.raw`[Pp](?:${eitherCase('ass')}(?:${eitherCase('w')}(?:${eitherCase('or')})?[DdTt]|${eitherCase('phrase')})?|${eitherCase('wd')})${ASSIGNED_HINT}|pypi-AgE`,
    `${eitherCase('token')}${ASSIGNED_HINT}`,
    `${eitherCase('api')}[_-]?${eitherCase('key')}${ASSIGNED_HINT}`,
    String.raw`curl\s(?:[^\n|;]{0,400}?\s)?(?:-u|--user|--proxy-user)`,
  ].join('|'),
)
