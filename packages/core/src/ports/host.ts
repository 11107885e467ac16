/** The program around the engine: editor, terminal, server. */
export interface Host {
  readonly name: string
  /** Asks the person; undefined when there is nobody to ask or they declined. */
  ask(question: string, choices?: readonly string[]): Promise<string | undefined>
  notify(level: 'info' | 'warning' | 'error', text: string): void
}
