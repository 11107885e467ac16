/** Lets the user choose the model of a mode, and set the key of a provider. */
import { knownModels } from '@cairn/core'
import { PROVIDERS } from '@cairn/core/providers'
import * as vscode from 'vscode'
import type { ModelChoice } from './model-choice.ts'
import type { EditorKeys } from './provider-keys.ts'

/** A row of the list of models. */
interface ModelItem extends vscode.QuickPickItem {
  readonly choice?: ModelChoice
  /** The name is asked for. */
  readonly provider?: string
}

/**
 * Returns the model that the user chose from a list, or whose name they typed for a provider chosen there; undefined if
 * they cancel. Nothing is stored. `mode` is only for the title.
 */
export const chooseModel = async (keys: EditorKeys, mode: string): Promise<ModelChoice | undefined> => {
  const picked = await vscode.window.showQuickPick(modelItems(keys), {
    title: `Model of the chat (${mode})`,
    placeHolder: 'A model, or who serves one',
    matchOnDescription: true,
  })
  if (picked?.choice !== undefined) return picked.choice
  return picked?.provider === undefined ? undefined : askForModel(picked.provider)
}

/**
 * Returns the rows: the newest models of providers that have a key, then each provider, whose model is asked for by
 * name. Deprecated models are left out.
 */
const modelItems = async (keys: EditorKeys): Promise<ModelItem[]> => {
  const withKey = new Set(
    (await keys.list()).filter(({ found, isInEditor }) => found !== null || isInEditor).map(({ name }) => name),
  )
  const { models } = await knownModels({ at: Date.now() })
  const known = models.flatMap(({ id, provider, isCurrent, isDeprecated }): readonly ModelItem[] => {
    if (provider === null || !withKey.has(provider) || !isCurrent || isDeprecated) return []
    return [{ label: id, description: PROVIDERS[provider]?.title ?? provider, choice: { model: id, provider } }]
  })
  const others = Object.entries(PROVIDERS).map(([provider, { title, keyNames }]): ModelItem => ({
    label: `Another model of ${provider === 'openai-chat' ? `${title} (Chat Completions)` : title}…`,
    description: keyNames.length === 0 || withKey.has(provider) ? '' : 'no key yet',
    provider,
  }))
  return [...known, ...others]
}

/**
 * Asks for the name of a provider's model, and for the server's address if the provider needs one; undefined if the
 * user cancels.
 */
const askForModel = async (provider: string): Promise<ModelChoice | undefined> => {
  const { title = provider, needsBaseUrl = false } = PROVIDERS[provider] ?? {}
  const model = await vscode.window.showInputBox({
    title: `Model of ${title}`,
    prompt: 'Its name, as the provider writes it',
    validateInput: (text) => (text.trim() === '' ? 'Write a name.' : undefined),
  })
  if (model === undefined) return undefined
  const baseUrl = needsBaseUrl
    ? await vscode.window.showInputBox({
        title: `Address of ${title}`,
        placeHolder: 'https://<name>.openai.azure.com/openai/v1',
        validateInput: (text) => (/^https?:\/\//.test(text) ? undefined : 'It begins with https:// or http://.'),
      })
    : undefined
  if (needsBaseUrl && baseUrl === undefined) return undefined
  return { model: model.trim(), provider, ...(baseUrl === undefined ? {} : { baseUrl }) }
}

/**
 * Asks for a provider and its API key, and keeps or removes it in the editor's secret storage; false if the user
 * cancels. An empty key removes the one that is kept.
 */
export const setApiKey = async (keys: EditorKeys): Promise<boolean> => {
  const items = (await keys.list()).map((key) => ({ label: key.title, description: whereText(key), key }))
  const picked = await vscode.window.showQuickPick(items, { title: 'Set an API key', placeHolder: 'Whose key?' })
  if (picked === undefined) return false
  const { name, title, isInEditor } = picked.key
  const text = await vscode.window.showInputBox({
    title: `API key of ${title}`,
    prompt: `It is kept in the editor's secret storage, not in the settings.${isInEditor ? ' Empty: the one that is kept is removed.' : ''}`,
    password: true,
    ignoreFocusOut: true,
    validateInput: (typed) => (typed.trim() === '' && !isInEditor ? 'Paste the key.' : undefined),
  })
  if (text === undefined) return false
  if (text.trim() === '') await keys.remove(name)
  else await keys.keep(name, text.trim())
  return true
}

/** A provider, and where its key was found. */
type ListedKey = Awaited<ReturnType<EditorKeys['list']>>[number]

/** Returns where a provider's key comes from, the environment before the editor; '' if it has none. */
const whereText = ({ found, isInEditor }: ListedKey): string => {
  if (found?.from === 'environment') return `found: ${found.variable}, which counts first`
  if (isInEditor) return 'found: kept by the editor'
  return found === null ? '' : 'found: cairn secret'
}
