import type { Actor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { Outcome } from '#platform/errors'
import type { Services } from '#platform/module'
import { moneyOf } from '#platform/money'
import { findOrCreateAccounts, type WantedAccount } from '../../people/accounts/find-or-create-accounts.service.ts'
import {
  type ContactRow,
  listContactsById,
  lockContactEmails,
  lockContacts,
} from '../../people/contacts/contacts.queries.ts'
import type { ContactChanges, NewContact } from '../../people/contacts/contacts.schemas.ts'
import { createContacts } from '../../people/contacts/create-contacts.service.ts'
import { updateContacts } from '../../people/contacts/update-contacts.service.ts'
import { type LeadRow, lockLeadEmails, lockLeads } from '../../people/lead-records/leads.queries.ts'
import type { LeadChanges, NewLead } from '../../people/lead-records/leads.schemas.ts'
import { createLeads } from '../../people/leads/create-leads.service.ts'
import { updateLeadBatch } from '../../people/leads/update-lead-batch.service.ts'
import { lockScoringConfigShared } from '../../people/scoring/scoring.queries.ts'
import { lockAccountNamesShared } from '../../records/references/record-names.queries.ts'
import type { ImportOptions } from '../import-mapping/import.schemas.ts'
import type { ImportedType } from '../import-mapping/import-fields.rules.ts'
import { toRecordInput } from '../import-mapping/merge-values.rules.ts'

type Values = Readonly<Record<string, unknown>>
export type ImportServices = Pick<Services, 'clock' | 'db' | 'secrets' | 'registry'>
export type ImportedRecord = LeadRow | ContactRow

type Creation = { actor: Actor; importId: string; options: ImportOptions; services: ImportServices }

/** Has the parts of an import that differ between leads and contacts. `rows` are the values of rows by field. */
export type ImportKind = {
  objectType: ImportedType
  /** Takes the locks that precede those of records. */
  lockAddresses(tx: TenantTx, emails: readonly string[]): Promise<void>
  create(tx: TenantTx, rows: readonly Values[], by: Creation): Promise<Outcome<ImportedRecord>[]>
  /** Locks matched records, and adds the fields that rows get from other records. */
  lock(
    tx: TenantTx,
    matches: readonly { id: string; values: Values }[],
    by: Creation,
  ): Promise<{ records: Map<string, ImportedRecord>; values: Values[] }>
  update(
    tx: TenantTx,
    updates: readonly { id: string; values: Values; record: Values }[],
    by: Pick<Creation, 'actor' | 'services'>,
  ): Promise<Outcome<ImportedRecord>[]>
}

const leadKind: ImportKind = {
  objectType: 'lead',
  async lockAddresses(tx, emails) {
    await lockScoringConfigShared(tx)
    await lockLeadEmails(tx, emails)
  },
  create: (tx, rows, { actor, importId, options, services }) =>
    createLeads(
      tx,
      actor,
      rows.map((values) => toRecordInput(values) as NewLead),
      services,
      { startSla: options.start_sla, autoAssign: options.run_assignment, importId },
    ),
  async lock(tx, matches) {
    const leads = await lockLeads(
      tx,
      matches.map(({ id }) => id),
    )
    return { records: new Map(leads.map((lead) => [lead.id, lead])), values: matches.map(({ values }) => values) }
  },
  update: (tx, updates, { actor, services }) =>
    updateLeadBatch(
      tx,
      actor,
      updates.map(({ id, values, record }) => ({ id, changes: toRecordInput(values, record) as LeadChanges })),
      services,
    ),
}

const wantedAccountOf = ({ account_name, account_domain }: Values): WantedAccount | null =>
  account_name || account_domain
    ? { name: (account_name as string) ?? null, domain: (account_domain as string) ?? null }
    : null

/** Replaces the name and domain of an account by its id. */
async function withAccountIds(tx: TenantTx, rows: readonly Values[], { actor, services }: Creation): Promise<Values[]> {
  const wanted = rows.map((values) => (values.account_id ? null : wantedAccountOf(values)))
  const given = wanted.filter((account) => account !== null)
  const ids = given.length ? await findOrCreateAccounts(tx, actor, given, services) : []
  let next = 0
  return rows.map((values, index) => (wanted[index] ? { ...values, account_id: ids[next++]! } : values))
}

const contactKind: ImportKind = {
  objectType: 'contact',
  lockAddresses: (tx, emails) => lockContactEmails(tx, emails),
  async create(tx, rows, by) {
    const { actor, importId, services } = by
    const inputs = (await withAccountIds(tx, rows, by)).map((values) => toRecordInput(values) as NewContact)
    return await createContacts(tx, actor, inputs, services, { import_id: importId })
  },
  async lock(tx, matches, by) {
    const ids = matches.map(({ id }) => id)
    const seen = new Map((await listContactsById(tx, ids)).map((contact) => [contact.id, contact]))
    const keepsAccount = ({ id }: { id: string }) =>
      by.options.on_match === 'update_empty' && seen.get(id)?.account_id !== null
    const rows = matches.map((match) => {
      const { account_name: _name, account_domain: _domain, ...rest } = match.values
      return keepsAccount(match) ? rest : match.values
    })
    const values = await withAccountIds(tx, rows, by)
    const accountIds = values.flatMap(({ account_id }) => (account_id as string | undefined) ?? [])
    await lockAccountNamesShared(tx, accountIds)
    const contacts = await lockContacts(tx, ids)
    return { records: new Map(contacts.map((contact) => [contact.id, contact])), values }
  },
  update: (tx, updates, { actor, services }) =>
    updateContacts(
      tx,
      actor,
      updates.map(({ id, values, record }) => ({ id, changes: toRecordInput(values, record) as ContactChanges })),
      services,
    ),
}

export const importKinds: Record<ImportedType, ImportKind> = { lead: leadKind, contact: contactKind }

export const toRecordValues = (record: ImportedRecord): Values =>
  'annual_revenue_minor' in record
    ? { ...record, annual_revenue: moneyOf(record.annual_revenue_minor, record.annual_revenue_currency) }
    : record
