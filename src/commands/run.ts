import { Command, CommanderError } from 'commander'
import type { Environment } from '#platform/config'
import { isDatabaseAway } from '#platform/db'
import { AppError, type InputError } from '#platform/errors'
import { addApiKeysCommands } from './api-keys.ts'
import { addJobsCommands } from './jobs.ts'
import { addKeysCommands } from './keys.ts'
import type { Desk } from './operate.ts'
import { addProcessCommands } from './process.ts'
import { addSessionsCommands } from './sessions.ts'
import { addTenantCommands } from './tenant.ts'
import { addUserCommands } from './user.ts'

const exitCodes = { ok: 0, unexpected: 1, usage: 2, notFound: 3, conflict: 4, unconfirmed: 5 }

type Surroundings = Partial<Desk> & { environment?: Environment }

/** Carries out one command and tells what the process should exit with. */
export async function run(argv: string[], surroundings: Surroundings = {}): Promise<number> {
  const desk: Desk = {
    write: (text) => void process.stdout.write(text),
    complain: (text) => void process.stderr.write(text),
    environment: undefined,
    ...surroundings,
  }
  try {
    await createProgram(desk).parseAsync(argv, { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    const { code, message } = explain(error)
    desk.complain(argv.includes('--json') ? `${JSON.stringify({ error: { code, message } })}\n` : `${message}\n`)
    return exitCodeOf(error)
  }
}

function createProgram(desk: Desk): Command {
  const program = new Command('tributary')
    .description('Runs Tributary, and opens, closes and looks after its workspaces.')
    .exitOverride()
    .configureOutput({ writeOut: desk.write, writeErr: desk.complain })
  addProcessCommands(program, desk)
  addTenantCommands(program, desk)
  addUserCommands(program, desk)
  addSessionsCommands(program, desk)
  addJobsCommands(program, desk)
  addKeysCommands(program, desk)
  addApiKeysCommands(program, desk)
  return program
}

function exitCodeOf(error: unknown): number {
  if (!(error instanceof AppError)) return exitCodes.unexpected
  if (error.code === 'confirmation_missing') return exitCodes.unconfirmed
  if (error.status === 422) return exitCodes.usage
  if (error.status === 404) return exitCodes.notFound
  return error.status === 409 ? exitCodes.conflict : exitCodes.unexpected
}

function explain(error: unknown): { code: string; message: string } {
  if (error instanceof AppError) {
    const [first] = (error.extra.errors ?? []) as InputError[]
    return { code: error.code, message: first?.message ?? error.message }
  }
  if (isDatabaseAway(error))
    return {
      code: 'dependency_unavailable',
      message: 'The database does not answer. Is its address right, and does it run?',
    }
  return { code: 'internal_error', message: error instanceof Error ? error.message : String(error) }
}
