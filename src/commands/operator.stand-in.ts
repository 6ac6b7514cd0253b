import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Config } from '#platform/config'
import { programEnvironment, programPath } from '#testing'
import { runCli } from './cli.ts'

/** Runs CLI commands against the installation of `config`. */
export function createOperator({ DATABASE_SYSTEM_URL, APP_DOMAIN, STORAGE_URL, SECRETS_KEYS }: Config) {
  const environment = { NODE_ENV: 'test', DATABASE_SYSTEM_URL, APP_DOMAIN, STORAGE_URL, SECRETS_KEYS }

  /** Runs the command in a child process. */
  const start = (...argv: string[]) => {
    const child = spawn(process.execPath, [programPath('src/main.ts'), ...argv], {
      env: { ...programEnvironment(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const exited = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
    return { child, ended: exited.then(([[exitCode], out, err]) => toCommandOutput(exitCode, out, err)) }
  }
  return {
    start,
    spawn: (...argv: string[]) => start(...argv).ended,
    /** Runs the command in this process, which is faster. */
    async run(...argv: string[]) {
      let [out, err] = ['', '']
      const io = { environment, write: (more: string) => (out += more), writeError: (more: string) => (err += more) }
      return toCommandOutput(await runCli(argv, io), out, err)
    },
  }
}

function toCommandOutput(exitCode: number, out: string, err: string) {
  const output = out || err
  return { exitCode, out, err, body: /^\s*\{/.test(output) ? JSON.parse(output) : undefined }
}
