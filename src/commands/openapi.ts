import { readConfig } from '#platform/config'
import { buildApp } from '../app.ts'
import { openServices } from '../services.ts'
import type { Desk } from './operate.ts'

/** Prints the machine description of the API. It is made from the routes, so nothing is connected to. */
export async function printOpenApi({ write, environment }: Desk): Promise<void> {
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
