/** Makes elements. Text only ever becomes text: nothing here parses HTML, and no attribute runs or loads anything. */

type Attribute =
  | 'class'
  | 'id'
  | 'role'
  | 'title'
  | 'type'
  | 'tabindex'
  | 'placeholder'
  | 'rows'
  | 'for'
  | 'open'
  | 'start'
  | 'scope'
  | 'disabled'
  | 'dir'
  | 'hidden'
  | 'value'
  | 'max'
  | `aria-${string}`

export type Attributes = Readonly<Partial<Record<Attribute, string | undefined>>>
export type Child = Node | string

/** An element with attributes and children; undefined leaves an attribute out. */
export const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] => {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}

/** A button with words on it. */
export const button = (label: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement => {
  const made = element('button', { type: 'button', ...attributes }, label)
  made.addEventListener('click', onClick)
  return made
}
