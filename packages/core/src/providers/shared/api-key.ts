/** What is known of a key before anything is sent. */
import { ModelError } from '../../ports/language-model.ts'
import type { ProviderOptions } from '../provider-options.ts'

/**
 * Only a server that was named by its address may do without a key. A character that no header takes, such as a quote that
 * was pasted along, would else look like a broken connection.
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
