import pg from 'pg'

/** Work of this process since its start. The build compares it with tests/budgets.json, because seconds differ between machines. */
export const counters = { applications: 0, databases: 0, requests: 0, statements: 0, rows: 0 }

export function countAllStatements(): void {
  const { query } = pg.Client.prototype
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...input: unknown[]) {
      counters.statements++
      return (query as (...input: unknown[]) => unknown).apply(this, input)
    },
  })
}
