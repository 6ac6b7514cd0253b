// Prints the OpenAPI document. It is generated from the routes, without database, Redis or network.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printOpenApi } from '../src/commands/openapi.ts'

/** Ignores the environment, so that the document is the same on every machine. */
export async function generateOpenApiDocument(): Promise<string> {
  const storageFolder = await mkdtemp(join(tmpdir(), 'tributary-openapi-'))
  const environment = { NODE_ENV: 'test', LOG_LEVEL: 'silent', STORAGE_URL: `file://${storageFolder}` }
  const output: string[] = []
  const writeError = (text: string) => void process.stderr.write(text)
  try {
    await printOpenApi({ write: (text) => void output.push(text), writeError, environment })
  } finally {
    await rm(storageFolder, { recursive: true, force: true })
  }
  return output.join('')
}

if (import.meta.main) process.stdout.write(await generateOpenApiDocument())
