import { spawn } from 'node:child_process'
import { join } from 'node:path'

type Flood = { kind: string; port: number; host: string; seconds: number }

const concurrency = 200

/** Runs a flood in a separate process and returns how often each status occurred. */
export async function runFlood({ kind, port, host, seconds }: Flood): Promise<string> {
  const values = [kind, port, host, concurrency, seconds].map(String)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'flood.ts'), ...values], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return Buffer.concat(await child.stdout.toArray())
    .toString()
    .trim()
}
