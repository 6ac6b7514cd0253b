import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateKeyEntry, generateSecretToken } from '#platform/secrets'
import { freePort } from '../testing/servers/processes.ts'

export type DevState = {
  signingKeys: string
  secretsKeys: string
  clientSecret: string
  providerPort: number
  password?: string
}

/** Persists keys and secrets, so that sessions and single sign-on survive a restart. */
export async function readState(home: string): Promise<DevState> {
  const stored: Partial<DevState> = existsSync(stateFile(home))
    ? JSON.parse(await readFile(stateFile(home), 'utf8'))
    : {}
  const state: DevState = {
    signingKeys: generateKeyEntry('dev'),
    secretsKeys: generateKeyEntry('dev'),
    clientSecret: generateSecretToken(),
    providerPort: await freePort(),
    ...stored,
  }
  await writeState(home, state)
  return state
}

export const writeState = (home: string, state: DevState): Promise<void> =>
  writeFile(stateFile(home), JSON.stringify(state), { mode: 0o600 })

const stateFile = (home: string): string => join(home, 'state.json')
