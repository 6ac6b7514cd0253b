import { Command, CommanderError } from 'commander'
import type { Environment } from '#platform/config'
import { isDatabaseUnavailable } from '#platform/db'
import { AppError, type InputError } from '#platform/errors'
import packageInfo from '../../package.json' with { type: 'json' }
import { addApiKeysCommands } from './api-keys.ts'
import { addAuditCommands } from './audit.ts'
import { addConsumersCommands } from './consumers.ts'
import { addJobsCommands } from './jobs.ts'
import { addKeysCommands } from './keys.ts'
import type { CliIo } from './operator-command.ts'
import { addSessionsCommands } from './sessions.ts'
import { addSystemCommands } from './system.ts'
import { addTenantCommands } from './tenant.ts'
import { addUserCommands } from './user.ts'

const exitCodes = { ok: 0, unexpected: 1, usage: 2, notFound: 3, conflict: 4, unconfirmed: 5 }

export async function runCli(
  argv: string[],
  overrides: Partial<CliIo> & { environment?: Environment } = {},
): Promise<number> {
  const io: CliIo = {
    write: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    environment: undefined,
    ...overrides,
  }
  try {
    await createProgram(io).parseAsync(argv, { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    const { code, message } = toErrorOutput(error)
    io.writeError(argv.includes('--json') ? `${JSON.stringify({ error: { code, message } })}\n` : `${message}\n`)
    return exitCodeOf(error)
  }
}

function createProgram(io: CliIo): Command {
  const program = new Command('tributary')
    .description('Run Tributary and manage its workspaces.')
    .version(packageInfo.version)
    .exitOverride()
    .configureOutput({ writeOut: io.write, writeErr: io.writeError })
  addSystemCommands(program, io)
  addTenantCommands(program, io)
  addUserCommands(program, io)
  addSessionsCommands(program, io)
  addJobsCommands(program, io)
  addConsumersCommands(program, io)
  addKeysCommands(program, io)
  addApiKeysCommands(program, io)
  addAuditCommands(program, io)
  return program
}

function exitCodeOf(error: unknown): number {
  if (!(error instanceof AppError)) return exitCodes.unexpected
  if (error.code === 'confirmation_missing') return exitCodes.unconfirmed
  if (error.status === 422) return exitCodes.usage
  if (error.status === 404) return exitCodes.notFound
  return error.status === 409 ? exitCodes.conflict : exitCodes.unexpected
}

function toErrorOutput(error: unknown): { code: string; message: string } {
  if (error instanceof AppError) {
    const [first] = (error.extra.errors ?? []) as InputError[]
    return { code: error.code, message: first?.message ?? error.message }
  }
  if (isDatabaseUnavailable(error))
    return {
      code: 'dependency_unavailable',
      message: 'The database cannot be reached. Check that it is running and that its URL is correct.',
    }
  return { code: 'internal_error', message: error instanceof Error ? error.message : String(error) }
}
