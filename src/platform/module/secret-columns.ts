import type { Database } from '#platform/db'
import type { SecretBox, SecretLocation } from '#platform/secrets'
import type { SecretColumns, Tables } from './tables.ts'

export type SecretColumn = Required<SecretColumns> & { table: keyof Database }

export const listSecretColumns = (tables: Tables): SecretColumn[] =>
  Object.entries(tables).flatMap(([table, { secrets = [] }]) =>
    secrets.map((columns) => ({ location: columns.ciphertext, ...columns, table: table as keyof Database })),
  )

/** Rejects secrets of columns that are not declared, because `keys reencrypt` would not find them. Archives are files and have no columns. */
export function allowDeclaredSecrets(box: SecretBox, tables: Tables): SecretBox {
  const nameOf = ({ table, column }: Pick<SecretLocation, 'table' | 'column'>) => `${table}.${column}`
  const declared = new Set(listSecretColumns(tables).map(({ table, location }) => nameOf({ table, column: location })))
  return {
    ...box,
    seal(plain, location) {
      const isArchive = location.table === 'archive' || location.row === 'archive'
      if (!isArchive && !declared.has(nameOf(location)))
        throw new Error(`${nameOf(location)} must be declared in \`secrets\` of its table.`)
      return box.seal(plain, location)
    },
  }
}
