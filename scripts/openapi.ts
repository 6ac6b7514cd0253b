// Prints the machine description of the API. It is made from the routes alone: no database, no Redis, no network.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printOpenApi } from '../src/commands/openapi.ts'

/** The description as it is committed: the same on every machine, whatever its environment. */
export async function machineDescription(): Promise<string> {
  const files = await mkdtemp(join(tmpdir(), 'tributary-openapi-'))
  const environment = { NODE_ENV: 'test', LOG_LEVEL: 'silent', STORAGE_URL: `file://${files}` }
  const printed: string[] = []
  const complain = (text: string) => void process.stderr.write(text)
  try {
    await printOpenApi({ write: (text) => void printed.push(text), complain, environment })
  } finally {
    await rm(files, { recursive: true, force: true })
  }
  return printed.join('')
}

if (import.meta.main) process.stdout.write(await machineDescription())
