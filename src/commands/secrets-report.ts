import type { ReencryptionResult, SecretColumn } from '#platform/module'

type UnreadableSecret = { tenant_id: string; column: string; row: string; kid: string | null }
type ColumnReport = { column: string; secrets: number; reencrypted: number }
type KeyReport = { kid: string | null; state: 'newest' | 'older' | 'unknown'; secrets: number }

export type SecretsReport = {
  reencrypted: number
  /** Secrets that others changed during the run; their new values are kept. */
  changed: number
  unreadable: number
  columns: ColumnReport[]
  keys: KeyReport[]
  examples: UnreadableSecret[]
}

const maxExamples = 20

/** Adds up the results of all workspaces; it contains locations of secrets, never their values. */
export function createSecretsReport(columns: readonly SecretColumn[], kids: readonly string[]) {
  const byColumn = new Map<SecretColumn, ColumnReport>(
    columns.map((column) => [column, { column: nameOf(column), secrets: 0, reencrypted: 0 }]),
  )
  const byKey = new Map<string | null, number>(kids.map((kid) => [kid, 0]))
  const report: SecretsReport = { reencrypted: 0, changed: 0, unreadable: 0, columns: [], keys: [], examples: [] }
  let damaged = 0
  return {
    report,
    addResult(tenantId: string, column: SecretColumn, result: ReencryptionResult): void {
      byColumn.get(column)!.reencrypted += result.reencrypted
      report.reencrypted += result.reencrypted
      report.changed += result.changed
      damaged += result.unreadable.filter(({ kid }) => kid !== null && kids.includes(kid)).length
      const examples = result.unreadable.map(({ row, kid }) => ({
        tenant_id: tenantId,
        column: nameOf(column),
        row,
        kid,
      }))
      report.examples.push(...examples.slice(0, maxExamples - report.examples.length))
    },
    addCounts(column: SecretColumn, counts: readonly { kid: string | null; count: number }[]): void {
      for (const { kid, count } of counts) {
        byColumn.get(column)!.secrets += count
        byKey.set(kid, (byKey.get(kid) ?? 0) + count)
      }
    },
    /** A secret is unreadable if its key is unknown or if it was damaged, which only decryption finds. */
    finish(): void {
      report.columns = [...byColumn.values()]
      report.keys = [...byKey].map(([kid, secrets]) => ({ kid, state: stateOf(kid, kids), secrets }))
      const unknown = report.keys.filter(({ state }) => state === 'unknown')
      report.unreadable = unknown.reduce((total, { secrets }) => total + secrets, damaged)
    },
  }
}

const nameOf = ({ table, ciphertext }: SecretColumn) => `${table}.${ciphertext}`

function stateOf(kid: string | null, kids: readonly string[]): KeyReport['state'] {
  if (kid === kids[0]) return 'newest'
  return kid !== null && kids.includes(kid) ? 'older' : 'unknown'
}

export function formatSecretsReport(report: SecretsReport, isCheck: boolean): string {
  const { reencrypted, changed, columns, keys, examples } = report
  const texts = {
    newest: 'encrypts new secrets',
    older: 'can be removed when it has no secrets and no archives',
    unknown: 'is not in SECRETS_KEYS',
  }
  return [
    ...(isCheck ? [] : [`Encrypted ${reencrypted} secrets again; ${changed} were changed during the run.`]),
    ...columns.map((entry) => `${entry.column}: ${entry.secrets} secrets, ${entry.reencrypted} encrypted again`),
    ...keys.map(({ kid, state, secrets }) => `Key ${kid ?? 'without a name'}: ${secrets} secrets; ${texts[state]}`),
    ...examples.map(
      ({ tenant_id, column, row, kid }) => `Cannot decrypt ${column} of ${row} in workspace ${tenant_id} (key ${kid})`,
    ),
  ].join('\n')
}
