import { readConfig } from '#platform/config'
import { buildApp } from '../app.ts'
import { openServices } from '../services.ts'
import type { CliIo } from './operator-command.ts'

export async function printOpenApi({ write, environment }: CliIo): Promise<void> {
  const { services, close } = await openServices(readConfig(environment))
  try {
    const app = await buildApp(services)
    await app.ready()
    write(`${JSON.stringify(app.swagger(), null, 2)}\n`)
    await app.close()
  } finally {
    await close()
  }
}
