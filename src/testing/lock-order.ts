import type pg from 'pg'
import { type LockKind, lockKinds } from './lock-kinds.ts'

/** Locks of a transaction, the rows it inserted, which no other transaction can see, and the numbers of both at each savepoint. */
type Held = { locks: Lock[]; inserted: Lock[]; savepoints: Map<string, { locks: number; inserted: number }> }
type Lock = { kind: LockKind; keys: Set<string> }
type StatementResult = { rows: Record<string, unknown>[]; command: string; affectedRows: number }
type PipelinedStatement = { text: string; callback: (error: Error | null, result?: StatementResult) => void }
type Connection = { bind(portal: { values: unknown[] }): void }

/** Observes the locks of every transaction of these pools and collects those taken against the global lock order. */
export function observeLockOrder(pools: readonly pg.Pool[]): string[] {
  const violations: string[] = []
  const observed = new WeakSet<pg.PoolClient>()
  for (const pool of pools)
    pool.on('acquire', (client) => {
      if (!observed.has(client)) observeClient(client, violations)
      observed.add(client)
    })
  return violations
}

/** Wraps the statements, whose parameters are only visible to the connection. */
function observeClient(client: pg.PoolClient, violations: string[]): void {
  let held = holdNothing()
  const pending: { values: string[] }[] = []
  const { connection, query } = client as unknown as {
    connection: Connection
    query: (...input: unknown[]) => unknown
  }
  const bind = connection.bind.bind(connection)
  connection.bind = (portal) => {
    const statement = pending.shift()
    if (statement) statement.values = portal.values.filter((value) => typeof value === 'string')
    bind(portal)
  }
  Object.assign(client, {
    query(...input: unknown[]) {
      const [statement] = input
      if (statement === 'commit' || statement === 'rollback') held = holdNothing()
      if (isPipelined(statement)) {
        const parameters: { values: string[] } = { values: [] }
        pending.push(parameters)
        const { callback, text } = statement
        const transaction = held
        statement.callback = (error, result) => {
          if (result) violations.push(...recordLocks(transaction, parseStatement(text), parameters.values, result))
          callback(error, result)
        }
      }
      return query.apply(client, input)
    },
  })
}

const holdNothing = (): Held => ({ locks: [], inserted: [], savepoints: new Map() })

const isPipelined = (statement: unknown): statement is PipelinedStatement =>
  typeof statement === 'object' && statement !== null && 'callback' in statement && 'submit' in statement

type LockingStatement = {
  sql: string
  isAdvisory: boolean
  locks: { kind: LockKind; isInsert: boolean; returnsKeys: boolean }[]
  waits: boolean
  isInIdOrder: boolean
}

const statements = new Map<string, LockingStatement>()

function parseStatement(text: string): LockingStatement {
  const known = statements.get(text)
  if (known) return known
  const sql = text.replaceAll('"', '').replace(/\s+/g, ' ').trim().toLowerCase()
  const mayLock = /insert|update|delete|share/.test(sql)
  const written = /(insert into|update|delete from) (\w+\.\w+)/.exec(sql)?.[2]
  const parsed = {
    sql,
    isAdvisory: sql.includes('pg_advisory_xact_lock'),
    locks: lockKinds.flatMap((kind) => {
      const mode = (kind.tables ?? [])
        .map((table) => (mayLock && sql.includes(table) ? findLockMode(sql, kind, table) : undefined))
        .find((found) => found !== undefined)
      // The rows of a statement that writes another table are not those it locks.
      const returnsKeys = written === undefined || kind.tables?.some((table) => table === written) === true
      return mode ? [{ kind, isInsert: mode === 'insert', returnsKeys }] : []
    }),
    waits: !sql.includes('skip locked'),
    isInIdOrder: idOrder.test(sql) || sql.includes(' ctid '),
  }
  statements.set(text, parsed)
  return parsed
}

/** Active admins come before other users. Retention deletes rows by `ctid`. */
const idOrder = /order by (role <> 'admin', )?(\w+\.)?id( limit \S+)? for (no key )?(update|share)/

function findLockMode(sql: string, kind: LockKind, table: string): 'lock' | 'insert' | undefined {
  const isIn = (pattern: string) =>
    new RegExp(pattern.replaceAll('TABLE', `${table.replace('.', '\\.')}(?![\\w.])`)).test(sql)
  if (isIn('(^|\\W)(update|delete from) TABLE')) return 'lock'
  const modes = table === 'identity.tenants' ? '(no key )?update' : '((no key )?update|share)'
  if (isIn(`from TABLE((?!(?<!distinct) from ).)* for ${modes}`)) return 'lock'
  if (!isIn('insert into TABLE')) return undefined
  return kind.isLockedByInsert || /on conflict .* do update/.test(sql) ? 'lock' : 'insert'
}

function recordLocks(held: Held, statement: LockingStatement, values: readonly string[], result: StatementResult) {
  const { sql, isAdvisory, locks, waits, isInIdOrder } = statement
  if (isAdvisory) return advisoryNamesIn(values[0] ?? '').flatMap((name) => recordAdvisoryLock(held, name))
  recordSavepoint(held, sql)
  const count = Math.max(result.rows.length, result.affectedRows)
  const violations: string[] = []
  for (const { kind, isInsert, returnsKeys } of count ? locks : []) {
    const returned = returnsKeys ? result.rows.flatMap((row) => (row[kind.key!] as string | undefined) ?? []) : []
    const keys = returned.length === count ? returned : undefined
    const lock = { kind, keys: new Set(keys ?? uuidsIn(values).flat()) }
    if (isInsert) held.inserted.push(lock)
    else if (!isHeld(held, kind, keys, values)) {
      const isOrdered = count === 1 || isInIdOrder || result.command === 'INSERT' || isAscending(keys)
      if (waits && !isOrdered) violations.push(`${nameOf(kind)}: ${count} rows locked in no order: ${sql}`)
      if (waits) violations.push(...findViolations(held, kind, sql))
      held.locks.push(lock)
    }
  }
  return violations
}

function recordSavepoint({ locks, inserted, savepoints }: Held, sql: string): void {
  const [, rollback, name] = /^(rollback to )?savepoint (\w+)$/.exec(sql) ?? []
  if (name === undefined) return
  const saved = savepoints.get(name)
  if (!rollback) savepoints.set(name, { locks: locks.length, inserted: inserted.length })
  else if (saved) {
    locks.length = saved.locks
    inserted.length = saved.inserted
  }
}

const advisoryNamesIn = (value: string): string[] =>
  value.startsWith('{') ? (JSON.parse(`[${value.slice(1, -1)}]`) as string[]) : [value]

function recordAdvisoryLock(held: Held, tenantAndName: string): string[] {
  const name = tenantAndName.slice(tenantAndName.indexOf(':') + 1)
  const kind = lockKinds.find(({ advisory }) => advisory?.test(name))
  if (!kind || held.locks.some((lock) => lock.kind === kind && lock.keys.has(name))) return []
  const violations = findViolations(held, kind, name)
  held.locks.push({ kind, keys: new Set([name]) })
  return violations
}

function findViolations({ locks }: Held, kind: LockKind, sql: string): string[] {
  const later = locks.findLast((lock) => lock.kind.rank > kind.rank)
  return later ? [`${nameOf(kind)} after ${nameOf(later.kind)}: ${sql}`] : []
}

const nameOf = ({ lock, no }: LockKind): string => `${lock} (${no})`

/** A statement without returned keys locks nothing new if one of its parameters consists of held keys. */
function isHeld(
  { locks, inserted }: Held,
  kind: LockKind,
  keys: readonly string[] | undefined,
  values: readonly string[],
) {
  const sameRank = [...locks, ...inserted].filter((lock) => lock.kind.rank === kind.rank)
  const has = (key: string) => sameRank.some((lock) => lock.keys.has(key))
  return keys ? keys.every(has) : uuidsIn(values).some((ids) => ids.length > 0 && ids.every(has))
}

const uuidsIn = (values: readonly string[]): string[][] => values.map((value) => value.match(uuid) ?? [])
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

const isAscending = (keys: readonly string[] | undefined): boolean =>
  keys?.every((key, index) => index === 0 || keys[index - 1]! <= key) ?? false
