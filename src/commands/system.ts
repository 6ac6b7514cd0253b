import type { Command } from 'commander'
import { readConfig } from '#platform/config'
import { type CliIo, printResult } from './operator-command.ts'
import { addCommand } from './options.ts'

export function addSystemCommands(program: Command, io: CliIo): void {
  program
    .command('serve')
    .description('Run the API server')
    .action(async () => {
      const { serve } = await import('../serve.ts')
      await serve(readConfig(io.environment))
    })

  program
    .command('work')
    .description('Run the background worker: jobs, events and schedules')
    .action(async () => {
      const { runWorker } = await import('../run-worker.ts')
      await runWorker(readConfig(io.environment))
    })

  program
    .command('openapi')
    .description('Print the OpenAPI document')
    .action(async () => {
      const { printOpenApi } = await import('./openapi.ts')
      await printOpenApi(io)
    })

  addCommand(program, 'migrate', 'Apply pending database migrations')
    .option('--plan', 'only list pending migrations')
    .action(async ({ plan, json }: { plan?: true; json?: true }) => {
      const names = await runMigrations(io, { isPlan: plan === true })
      const text = names.length ? names.join('\n') : 'The database is up to date.'
      printResult(
        io,
        { command: 'migrate', args: {}, isJson: json },
        { json: { [plan ? 'pending' : 'applied']: names }, text },
      )
    })
}

async function runMigrations({ environment }: CliIo, { isPlan }: { isPlan: boolean }): Promise<string[]> {
  const { migrateDatabase, planMigrations } = await import('../migrate.ts')
  const config = readConfig(environment)
  return isPlan ? await planMigrations(config) : await migrateDatabase(config)
}
