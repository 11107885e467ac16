/** Addresses of git remotes in one form, so that clones by different protocols have the same. */

/** Longer addresses are none. */
const LONGEST = 1_000
/** Ports that say nothing, as they are those of the protocol. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443', git: '9418' }
const URL_FORM = /^([a-z][a-z0-9+.-]*):\/\/(\[[^\]]*\]|[^/:?#]*)(?::(\d*))?(?:\/([^?#]*))?/i
/** `github.com:acme/shop.git`: no slash before the colon. */
const SSH_FORM = /^(\[[^\]]*\]|[^/:@]+):(?!\/\/)([^?#]*)/
/** User and password of both forms. */
const URL_USER = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i
const SSH_USER = /^[^/:@]*@/
/** Behind these: what comes before it may be a part of a password, such as one with a slash. */
const SECOND_USER = /@|%40/i
/** Hosts where upper and lower case lead to the same repository. */
const CASELESS_HOSTS: ReadonlySet<string> = new Set(['github.com', 'gitlab.com', 'bitbucket.org'])
/** Other names of these, for the web and for SSH on the port of HTTPS. */
const OTHER_NAME = /^(?:www|ssh|altssh)\./
/** What only an address has: a protocol, or a user and a host. */
const LOOKS_LIKE_ADDRESS = /^\S*(?::\/\/|@[^/@\s]+:)\S*$/
const WINDOWS_PATH = /^[a-z]:[\\/]/i
// eslint-disable-next-line no-control-regex -- an address with such a character is none
const UNPRINTABLE = /[\u0000-\u0020\u007f]/

/** A path within a host without slashes around it and without `.git`. */
const pathOf = (path: string): string =>
  path
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .replace(/\/+$/, '')

/**
 * The folder of a repository on a disk, without `/` or `.git` at its end. Undefined for a relative path, and for the
 * root.
 */
const folderOf = (path: string): string | undefined => {
  if (!path.startsWith('/') && !WINDOWS_PATH.test(path)) return undefined
  const folder = path.replace(/[\\/]+$/, '').replace(/[\\/]\.git$/, '')
  return folder === '' ? undefined : folder
}

/**
 * A remote's address as `host/path`, the same for SSH and HTTPS: without protocol, user, password and token, without the
 * protocol's own port, query and `.git`; the host in lower case, and the path too where case means nothing to the host. Of
 * a repository on a disk it is its folder. Undefined for what is no address, and for one with another `@` behind its user,
 * as a password may be before that.
 */
export const normalisedRemote = (address: string): string | undefined => {
  const text = address.trim()
  if (text === '' || text.length > LONGEST) return undefined
  if (WINDOWS_PATH.test(text) || text.startsWith('/')) return folderOf(text)
  if (UNPRINTABLE.test(text)) return undefined
  const bare = text.replace(URL_USER, '$1').replace(SSH_USER, '')
  if (SECOND_USER.test(bare) && !/^file:/i.test(bare)) return undefined
  const url = URL_FORM.exec(bare)
  if (url !== null) return ofUrl(url)
  const [, host = '', path = ''] = SSH_FORM.exec(bare) ?? []
  return joined(host, pathOf(path))
}

/** Whether a text is an address, or was meant to be one: `normalisedRemote` may find none in it. */
export const looksLikeAddress = (text: string): boolean => LOOKS_LIKE_ADDRESS.test(text.trim())

/**
 * The name of a remote given as a URL, without user, usual port and ending; of a `file:` URL its folder. Undefined if
 * it names no repository.
 */
const ofUrl = ([, protocol = '', host = '', port = '', path = '']: RegExpExecArray): string | undefined => {
  const kind = protocol.toLowerCase()
  if (kind === 'file') return folderOf(WINDOWS_PATH.test(path) ? path : `/${path}`)
  // A server's ports for SSH are many, and lead to the same repositories.
  const isUsual = port === '' || !Object.hasOwn(DEFAULT_PORTS, kind) || DEFAULT_PORTS[kind] === port
  return joined(isUsual ? host : `${host}:${port}`, pathOf(path))
}

/**
 * Host and path as one name, in lower case where the host ignores case; undefined if either is missing or the path has
 * `..`.
 */
const joined = (givenHost: string, path: string): string | undefined => {
  if (givenHost === '' || path === '' || path.split('/').includes('..')) return undefined
  const host = givenHost.toLowerCase()
  const known = host.replace(OTHER_NAME, '')
  return CASELESS_HOSTS.has(known) ? `${known}/${path.toLowerCase()}` : `${host}/${path}`
}

const SECTION = /^\s*\[\s*remote\s+"((?:[^"\\]|\\.)*)"\s*\]/i
const ANY_SECTION = /^\s*\[/
const URL_LINE = /^\s*url\s*=\s*(.*)$/i

/**
 * The value of a line of git's settings, without quotes and the comment behind it. A backslash takes the next character
 * as it is.
 */
const valueOf = (text: string): string => {
  let value = ''
  let isQuoted = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\\') value += text.charAt((index += 1))
    else if (!isQuoted && (character === '#' || character === ';')) break
    else value += character
  }
  return value.trim()
}

/**
 * The normalised address of a repository's remote, from the text of its `config`: that of `origin`, else of the first that
 * has one. Undefined where there is none. Included files and `insteadOf` are not followed.
 */
export const remoteOf = (config: string): string | undefined => {
  const remotes = new Map<string, string>()
  let remote: string | undefined
  for (const line of config.split(/\r?\n/)) {
    if (ANY_SECTION.test(line)) remote = SECTION.exec(line)?.[1]
    const text = remote === undefined ? undefined : URL_LINE.exec(line.replace(SECTION, ''))?.[1]
    const address = text === undefined ? undefined : normalisedRemote(valueOf(text))
    if (remote !== undefined && address !== undefined && !remotes.has(remote)) remotes.set(remote, address)
  }
  return remotes.get('origin') ?? remotes.values().next().value
}
