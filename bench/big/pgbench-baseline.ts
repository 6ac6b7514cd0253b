import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CompiledQuery } from 'kysely'
import type { TenantTx } from '#platform/db'

const pgbench = globSync('/usr/lib/postgresql/*/bin/pgbench').sort().at(-1) ?? 'pgbench'

/** Returns the statements executed by `work`. */
export async function captureStatements(tx: TenantTx, work: () => Promise<unknown>): Promise<CompiledQuery[]> {
  const statements: CompiledQuery[] = []
  const executor = tx.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  executor.executeQuery = (query) => {
    statements.push(query)
    return execute(query)
  }
  await work()
  return statements
}

/**
 * Returns how often PostgreSQL alone executes the statements per second: prepared, with the same role, the tenant set in the same
 * pipeline, 16 connections.
 */
export async function baselineRate(
  { port, name }: { port: number; name: string },
  tenantId: string,
  statements: readonly CompiledQuery[],
  seconds: number,
): Promise<number> {
  const values = new Map([['tenant', tenantId]])
  const scripts = statements.map(({ sql, parameters }, number) => {
    for (const [index, value] of parameters.entries()) values.set(`s${number}_${index + 1}`, toText(value))
    const text = sql.replaceAll(/\$(\d+)/g, `:s${number}_$1`).replaceAll('\n', ' ')
    return [
      '\\startpipeline',
      `select where set_config('app.tenant_id', :tenant, true) is null or set_config('transaction_read_only', 'on', true) is null;`,
      `${text};`,
      '\\endpipeline',
    ].join('\n')
  })
  const folder = await mkdtemp(join(tmpdir(), 'tributary-pgbench-'))
  const script = join(folder, 'list.sql')
  await writeFile(script, scripts.join('\n'))
  const variables = [...values].flatMap(([key, value]) => ['-D', `${key}=${value}`])
  const target = ['-h', '127.0.0.1', '-p', String(port), '-U', 'app', name]
  const flags = [
    '-n',
    '-M',
    'prepared',
    '-c',
    '16',
    '-j',
    '2',
    '-T',
    String(seconds),
    '-f',
    script,
    ...variables,
    ...target,
  ]
  const { stdout } = await promisify(execFile)(pgbench, flags)
  await rm(folder, { recursive: true })
  return Number(/tps = ([\d.]+)/.exec(stdout)![1])
}

const toText = (value: unknown): string =>
  Array.isArray(value) ? `{${value.join(',')}}` : value instanceof Date ? value.toISOString() : String(value)
