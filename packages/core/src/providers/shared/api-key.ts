/** What is known of a key before anything is sent. */
import { ModelError } from '../../ports/language-model.ts'
import type { ProviderOptions } from '../provider-options.ts'

/**
 * Refuses a key that no request could be made with: none, unless a base URL is named, as only such a server may do
 * without; or one with a character that no header takes, such as a quote that was pasted along: it would else look like
 * a broken connection.
 * @throws ModelError `auth`
 */
export const assertKey = (
  { apiKey = '', baseUrl }: Pick<ProviderOptions, 'apiKey' | 'baseUrl'>,
  title: string,
  keyName: string,
): void => {
  if (apiKey === '' && baseUrl === undefined)
    throw new ModelError('auth', `There is no key for ${title}: set ${keyName}.`)
  if (!/^[\x21-\x7e]*$/.test(apiKey))
    throw new ModelError('auth', `The key for ${title} has characters that no key has: check ${keyName}.`)
}
