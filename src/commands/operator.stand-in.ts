import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Config } from '#platform/config'
import { run } from './run.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** For tests: an operator at a terminal of the installation that `config` describes. */
export function operatorOf({ DATABASE_SYSTEM_URL, APP_DOMAIN, STORAGE_URL }: Config) {
  const environment = { NODE_ENV: 'test', DATABASE_SYSTEM_URL, APP_DOMAIN, STORAGE_URL }

  /** The command as a process of its own, as an operator would start it. */
  const start = (...argv: string[]) => {
    const child = spawn(process.execPath, [main, ...argv], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
    return { child, ended: ended.then(([[exitCode], out, err]) => answerOf(exitCode, out, err)) }
  }
  return {
    start,
    types: (...argv: string[]) => start(...argv).ended,
    /** The same in this process, which is quicker. */
    async says(...argv: string[]) {
      let [out, err] = ['', '']
      const desk = { environment, write: (more: string) => (out += more), complain: (more: string) => (err += more) }
      return answerOf(await run(argv, desk), out, err)
    },
  }
}

function answerOf(exitCode: number, out: string, err: string) {
  const written = out || err
  return { exitCode, out, err, body: /^\s*\{/.test(written) ? JSON.parse(written) : undefined }
}
