import { spawn } from 'node:child_process'

type CommandOptions = { root: string; environment?: NodeJS.ProcessEnv; isLive?: boolean; maxSilenceMs?: number }

/** Above the limit of a test, which names the test that never ends. */
const usualSilenceMs = 11 * 60_000

/**
 * Runs a command and returns what it printed, unless it was printed at once. A command that prints nothing for a long time is ended,
 * because a process that never ends must not block the whole run: a test process prints a line when a test ends.
 */
export function runCommand(
  command: string,
  flags: readonly string[],
  { root, environment, isLive, maxSilenceMs = usualSilenceMs }: CommandOptions,
) {
  const child = spawn(command, flags, {
    cwd: root,
    stdio: isLive ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: environment ?? process.env,
  })
  const chunks: Buffer[] = []
  const end = () => {
    chunks.push(Buffer.from(`\nEnded after ${maxSilenceMs / 1_000} seconds in which no test ended.\n`))
    child.kill()
  }
  const timer = isLive ? undefined : setTimeout(end, maxSilenceMs)
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      timer?.refresh()
    })
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code, output: Buffer.concat(chunks).toString() })
    }),
  )
}
