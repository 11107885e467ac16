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

/** Attributes of an element by name; an undefined one is left out. */
export type Attributes = Readonly<Partial<Record<Attribute, string | undefined>>>
/** What an element can contain. */
export type Child = Node | string

/** Returns a new element with attributes and children; an undefined attribute is left out. */
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

/** Returns a new button with a label. */
export const button = (label: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement => {
  const made = element('button', { type: 'button', ...attributes }, label)
  made.addEventListener('click', onClick)
  return made
}
