import type { TableRules, Tables } from '#platform/module'

/** Cleaning deletes its files except those with a purpose that is kept. */
export const filesTable = 'platform.files'

/** Tables of records, which must be empty before a restore. */
export const listRecordTables = (tables: Tables): string[] =>
  listTables(tables, (rules) => rules.clean === 'business' && rules.export !== 'skip' && !rules.derived).filter(
    (name) => name !== filesTable,
  )

/** Tables of configuration and of derived data whose rows the archive replaces. */
export const listReplacedTables = (tables: Tables): string[] =>
  listTables(tables, (rules) => rules.export === 'full' && (rules.clean === 'configuration' || rules.derived === true))

/** Tables of configuration with secrets that the archive does not have, so that only missing rows are added. */
export const listComplementedTables = (tables: Tables): string[] =>
  listTables(tables, (rules) => rules.clean === 'configuration' && typeof rules.export === 'object')

/** Whether a cleaning deletes the rows of a table. It keeps users, settings, suppressions, the audit log and others. */
export const isRestored = (tables: Tables, name: string): boolean => tables[name as keyof Tables]?.clean !== 'never'

const listTables = (tables: Tables, matches: (rules: TableRules) => boolean): string[] =>
  Object.entries(tables)
    .filter(([, rules]) => matches(rules))
    .map(([name]) => name)
    .toSorted()
