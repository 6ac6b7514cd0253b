import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CompiledQuery } from 'kysely'
import type { TenantTx } from '#platform/db'

const pgbench = globSync('/usr/lib/postgresql/*/bin/pgbench').sort().at(-1) ?? 'pgbench'

/** The statements that some work sends, as they are sent. */
export async function statementsOf(tx: TenantTx, work: () => Promise<unknown>): Promise<CompiledQuery[]> {
  const sent: CompiledQuery[] = []
  const executor = tx.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  executor.executeQuery = (query) => {
    sent.push(query)
    return execute(query)
  }
  await work()
  return sent
}

/**
 * How often PostgreSQL answers the same statements in a second, with nothing around them: prepared, by the same role, each with the
 * tenant set ahead of it in the same message, 16 at a time.
 */
export async function bareRate(
  { port, name }: { port: number; name: string },
  tenantId: string,
  statements: readonly CompiledQuery[],
  seconds: number,
): Promise<number> {
  const values = new Map([['tenant', tenantId]])
  const scripts = statements.map(({ sql, parameters }, place) => {
    for (const [index, value] of parameters.entries()) values.set(`s${place}_${index + 1}`, asText(value))
    const text = sql.replaceAll(/\$(\d+)/g, `:s${place}_$1`).replaceAll('\n', ' ')
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
  const given = [...values].flatMap(([key, value]) => ['-D', `${key}=${value}`])
  const place = ['-h', '127.0.0.1', '-p', String(port), '-U', 'app', name]
  const flags = ['-n', '-M', 'prepared', '-c', '16', '-j', '2', '-T', String(seconds), '-f', script, ...given, ...place]
  const { stdout } = await promisify(execFile)(pgbench, flags)
  await rm(folder, { recursive: true })
  return Number(/tps = ([\d.]+)/.exec(stdout)![1])
}

const asText = (value: unknown): string =>
  Array.isArray(value) ? `{${value.join(',')}}` : value instanceof Date ? value.toISOString() : String(value)
