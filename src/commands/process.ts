import type { Command } from 'commander'
import { readConfig } from '#platform/config'
import { pendingMigrations } from '#platform/db'
import { answer, type Desk } from './operate.ts'
import { commandOf } from './options.ts'

/** What each of these loads is large, so only the one that was asked for is loaded. */
export function addProcessCommands(program: Command, desk: Desk): void {
  program
    .command('serve')
    .description('Answer requests')
    .action(async () => {
      const { serve } = await import('../serve.ts')
      await serve(readConfig(desk.environment))
    })

  program
    .command('work')
    .description('Run jobs, pass events on, follow the timetable')
    .action(async () => {
      const { work } = await import('../work.ts')
      await work(readConfig(desk.environment))
    })

  program
    .command('openapi')
    .description('Print the machine description of the API')
    .action(async () => {
      const { printOpenApi } = await import('./openapi.ts')
      await printOpenApi(desk)
    })

  commandOf(program, 'migrate', 'Bring the database up to date')
    .option('--plan', 'only tell what would be applied')
    .action(async ({ plan, json }: { plan?: true; json?: true }) => {
      const names = plan ? await planMigrations(desk) : await migrate(desk)
      const text = names.length ? names.join('\n') : 'The database is up to date.'
      answer(
        desk,
        { command: 'migrate', args: {}, isJson: json },
        { json: { [plan ? 'pending' : 'applied']: names }, text },
      )
    })
}

async function planMigrations({ environment }: Desk): Promise<string[]> {
  const { DATABASE_OWNER_URL: owner } = readConfig(environment)
  if (!owner) throw new Error('DATABASE_OWNER_URL is missing: migrate connects as the owner of the schema.')
  return await pendingMigrations(owner)
}

async function migrate({ environment }: Desk): Promise<string[]> {
  const { migrateEverything } = await import('../migrate.ts')
  return await migrateEverything(readConfig(environment))
}
