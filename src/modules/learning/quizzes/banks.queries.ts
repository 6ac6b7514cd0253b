import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Database, type Page, readPage, type SortOrders, sortOrderOf, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import type { SortedPageQuery } from '#platform/schema'

type Banks = Database['enablement.question_banks']

const bankColumns = ['id', 'name', 'topic', 'owner_id', 'created_at', 'updated_at', 'version'] as const
export type BankRow = Pick<Selectable<Banks>, (typeof bankColumns)[number]>

const orders: SortOrders = { created_at: { by: { created_at: 'timestamp' } } }

export const listBankRows = (tx: TenantTx, query: SortedPageQuery): Promise<Page<BankRow>> =>
  readPage<BankRow>(
    tx,
    {
      table: 'enablement.question_banks',
      columns: bankColumns,
      order: sortOrderOf(orders, query.sort ?? '-created_at'),
      scans: [{ conditions: [] }],
      filters: {},
    },
    query,
  )

const selectBank = (tx: TenantTx, id: string) =>
  tx.selectFrom('enablement.question_banks').select(bankColumns).where('id', '=', id)

export const getBank = (tx: TenantTx, id: string): Promise<BankRow> =>
  selectBank(tx, id).executeTakeFirstOrThrow(() => notFound('question bank'))

export const lockBank = (tx: TenantTx, id: string): Promise<BankRow> =>
  selectBank(tx, id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('question bank'))

/** Locks in id order; a bank in use cannot be deleted at the same time. */
export async function lockBanksShared(tx: TenantTx, ids: readonly string[]): Promise<Set<string>> {
  const banks = await tx
    .selectFrom('enablement.question_banks')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forShare()
    .execute()
  return new Set(banks.map(({ id }) => id))
}

export const insertBank = (tx: TenantTx, bank: Insertable<Banks>): Promise<BankRow> =>
  tx.insertInto('enablement.question_banks').values(bank).returning(bankColumns).executeTakeFirstOrThrow()

export const updateBankRow = (tx: TenantTx, id: string, fields: Updateable<Banks>): Promise<BankRow> =>
  tx
    .updateTable('enablement.question_banks')
    .set(fields)
    .where('id', '=', id)
    .returning(bankColumns)
    .executeTakeFirstOrThrow()

export async function findBankIdByName(tx: TenantTx, name: string): Promise<string | undefined> {
  const bank = await tx
    .selectFrom('enablement.question_banks')
    .select('id')
    .where('name_key', '=', sql<string>`lower(${name})`)
    .executeTakeFirst()
  return bank?.id
}

/** Questions are deleted with their bank. */
export async function deleteBankRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('enablement.question_banks').where('id', '=', id).execute()
}

/** Published paths with a quiz that draws from the bank. */
export async function listPathsOfBank(
  tx: TenantTx,
  bankId: string,
  limit: number,
): Promise<{ id: string; title: string }[]> {
  const { rows } = await sql<{ id: string; title: string }>`
    select path.id, path.title from enablement.learning_paths path
    where path.id in (select module.path_id from enablement.learning_modules module
      where module.bank_ids <> '{}' and module.removed_at is null and ${bankId}::uuid = any (module.bank_ids))
      and path.status = 'published' and path.deleted_at is null
    order by path.id limit ${limit}
  `.execute(tx)
  return rows
}
