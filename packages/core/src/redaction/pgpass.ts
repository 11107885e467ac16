/** Lines of `.pgpass`: `host:port:database:user:password`. */
import { isPlaceholder, type SecretPattern } from './secret-pattern.ts'

const PORT = String.raw`(?:[1-9]\d{0,4}|\*)`
const NAMES = String.raw`:[\w.*-]{1,63}:[\w.@-]{1,63}:`
const PASSWORD = String.raw`[^\s:"'\\[\]]{4,100}`
const isPassword = (found: string): boolean =>
  /[A-Za-z]/.test(found) && /[0-9!@#%^&*+?~]/.test(found) && !isPlaceholder(found)
/** What tools print before lines of files. */
const FILE_NAME =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|go|rs|java|kt|swift|[ch](?:pp|c|s)?|php|s?css|html?|xml|ya?ml|json|toml|ini|conf|env|md|txt|sh|sql|lock|log|diff|patch)$/
/**
 * Whether what stands before a password begins with a database's host and port, `host:port:…`; not with a file's name
 * and a line, a part of an address of IPv6, or a key such as `queue:42:…`.
 */
const isDatabase = (keep: string): boolean => {
  const [host = '', port = ''] = keep.split(':')
  if (port !== '*' && Number(port) > 65_535) return false
  if (host === '*' || host === 'localhost' || port === '*') return true
  return host.includes('.') ? !FILE_NAME.test(host) : Number(port) >= 1024 && !/^[0-9a-f]{1,4}$/.test(host)
}

export const PGPASS_PATTERNS: readonly SecretPattern[] = [
  // With a usual port, also beside other text.
  {
    kind: 'password',
    expression: new RegExp(String.raw`(?<keep>(?<=[\w.*-]:)(?:54\d\d|6432)${NAMES})${PASSWORD}`, 'g'),
    isSecret: isPassword,
  },
  // With any other only where nothing else stands around it.
  {
    kind: 'password',
    expression: new RegExp(
      String.raw`(?<keep>(?<=^|[\s"'\x60→]|\\[nrt])(?:\*|[\w.-]{1,253}):${PORT}${NAMES})${PASSWORD}(?=$|[\s"'\x60\\])`,
      'g',
    ),
    isSecret: (found, { keep }) => isDatabase(keep) && isPassword(found),
  },
]

/** Behind a `:` of every line that one of these patterns matches. */
export const PGPASS_HINT = `${PORT}${NAMES}`
