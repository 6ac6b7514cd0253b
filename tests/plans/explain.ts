import pg from 'pg'
import type { CapturedStatement } from './captured-statements.ts'

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Schema?: string
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanNode[]
}
/** `scans` names the indexes, and the tables that are read without one. */
export type Measured = { buffers: number; scans: string[]; scannedTables: string[] }

/** A connection that prepares each statement once, as those of the application do. */
export class ExplainConnection {
  readonly #client: pg.Client
  readonly #names = new Map<string, string>()

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async open(url: string): Promise<ExplainConnection> {
    const client = new pg.Client(url)
    await client.connect()
    await client.query(`set statement_timeout = '120s'; set idle_in_transaction_session_timeout = 0`)
    return new ExplainConnection(client)
  }

  /** Runs statements on the connection as its user. */
  query(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
    return this.#client.query(text, values)
  }

  /** Runs a statement in a workspace and undoes what it wrote. */
  async explain({ text, values, isPlannedForValues }: CapturedStatement, tenantId: string | null): Promise<Measured> {
    await this.#client.query('savepoint explained')
    try {
      if (isPlannedForValues)
        await this.#client.query(`set local plan_cache_mode = force_custom_plan; set local random_page_cost = 1.1`)
      await this.#client.query(`select set_config('app.tenant_id', $1, true)`, [tenantId ?? ''])
      const list = values.length ? `(${values.map(toLiteral).join(', ')})` : ''
      const execute = `execute ${await this.#prepare(text, list)}${list}`
      const { rows } = await this.#client.query(
        `explain (analyze, buffers, timing off, verbose, format json) ${execute}`,
      )
      const { Plan: plan } = rows[0]['QUERY PLAN'][0] as { Plan: PlanNode }
      return {
        buffers: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
        scans: listScans(plan),
        scannedTables: listScannedTables(plan),
      }
    } finally {
      await this.#client.query('rollback to savepoint explained')
    }
  }

  /** Runs a new statement once, which plans it and reads the catalogue. */
  async #prepare(text: string, list: string): Promise<string> {
    const existing = this.#names.get(text)
    if (existing) return existing
    const name = `statement_${this.#names.size}`
    await this.#client.query(`prepare ${name} as ${text}`)
    await this.#client.query(`execute ${name}${list}`)
    this.#names.set(text, name)
    return name
  }

  close(): Promise<void> {
    return this.#client.end()
  }
}

/** The driver has serialized the values to texts, bytes and null. */
function toLiteral(value: unknown): string {
  if (value === null) return 'null'
  return pg.escapeLiteral(Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value))
}

const listScans = (node: PlanNode): string[] => [
  ...(node['Index Name']
    ? [`${node['Node Type']} ${node['Index Name']}`]
    : node['Relation Name'] && !node.Plans
      ? [`${node['Node Type']} ${node['Relation Name']}`]
      : []),
  ...(node.Plans ?? []).flatMap(listScans),
]

const listScannedTables = (node: PlanNode): string[] => [
  ...(node['Node Type'] === 'Seq Scan' ? [`${node.Schema}.${node['Relation Name']}`] : []),
  ...(node.Plans ?? []).flatMap(listScannedTables),
]
