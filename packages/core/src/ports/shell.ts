/** Runs a command. */
export interface ShellResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface Shell {
  /** `command` is a program with its arguments, never a line for a shell to parse. */
  run(
    command: readonly [string, ...string[]],
    options: { readonly cwd: string; readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<ShellResult>
}
