import { spawn } from 'node:child_process'

type CommandOptions = { root: string; environment?: NodeJS.ProcessEnv; isLive?: boolean }

/** Runs a command and returns what it printed, unless it was printed at once. */
export function runCommand(command: string, flags: readonly string[], { root, environment, isLive }: CommandOptions) {
  const child = spawn(command, flags, {
    cwd: root,
    // A process that never ends must not block the whole run.
    timeout: 20 * 60_000,
    stdio: isLive ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: environment ?? process.env,
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() })),
  )
}
