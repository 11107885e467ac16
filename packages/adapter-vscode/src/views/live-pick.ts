/** A list to choose from that follows what is typed: the store is searched, the editor filters nothing itself. */
import { messageOf } from '@cairn/core'
import * as vscode from 'vscode'

/** What a list offers, and how it is searched. */
export interface LivePickOptions<Item extends vscode.QuickPickItem> {
  readonly title: string
  readonly placeholder: string
  /** The sentence's beginning when a search fails. */
  readonly failed: string
  /** The items for what is typed, in their order. */
  readonly search: (typed: string) => Promise<readonly Item[]>
  /** Buttons beside the title. After one was pressed the list is rebuilt. */
  readonly buttons?: () => readonly vscode.QuickInputButton[]
  readonly onButton?: (button: vscode.QuickInputButton) => void
  /** A button of an item was pressed; the list closes. */
  readonly onItemButton?: (item: Item, button: vscode.QuickInputButton) => void
}

const AFTER_TYPING_MS = 150

/**
 * Shows a list whose items follow what the user types; returns the chosen item, undefined if they cancel or press an
 * item's button.
 */
export const livePick = <Item extends vscode.QuickPickItem>(
  options: LivePickOptions<Item>,
): Promise<Item | undefined> =>
  new Promise((resolve) => {
    showPick(options, resolve)
  })

/**
 * Shows the list: searches at once, and again soon after each change of the text; a failure is told in the title.
 * `onEnd` may be called more than once; only the first call counts, with undefined if the list was closed without a
 * choice.
 */
const showPick = <Item extends vscode.QuickPickItem>(
  options: LivePickOptions<Item>,
  onEnd: (item: Item | undefined) => void,
): void => {
  const { title, placeholder, failed, search, buttons = () => [], onButton, onItemButton } = options
  const picker = vscode.window.createQuickPick<Item>()
  picker.title = title
  picker.placeholder = placeholder
  picker.buttons = [...buttons()]
  let asked = 0
  let soon: NodeJS.Timeout | undefined

  const searchNow = async (): Promise<void> => {
    const ask = ++asked
    picker.busy = true
    try {
      const items = await search(picker.value)
      // The answer to an earlier question may come late.
      if (ask !== asked) return
      picker.title = title
      // Whatever the search found is shown, whether or not its text holds what was typed.
      picker.items = items.map((item) => ({ ...item, alwaysShow: true }))
    } catch (error) {
      if (ask === asked) picker.title = `${failed}: ${messageOf(error)}`
    } finally {
      if (ask === asked) picker.busy = false
    }
  }

  picker.onDidChangeValue(() => {
    clearTimeout(soon)
    soon = setTimeout(() => void searchNow(), AFTER_TYPING_MS)
  })
  picker.onDidTriggerButton((button) => {
    onButton?.(button)
    picker.buttons = [...buttons()]
    void searchNow()
  })
  picker.onDidTriggerItemButton(({ item, button }) => {
    onItemButton?.(item, button)
    picker.hide()
  })
  picker.onDidAccept(() => {
    const [chosen] = picker.selectedItems
    if (chosen === undefined) return
    onEnd(chosen)
    picker.hide()
  })
  picker.onDidHide(() => {
    clearTimeout(soon)
    asked += 1
    picker.dispose()
    // After a choice it has ended already.
    onEnd(undefined)
  })
  picker.show()
  void searchNow()
}
