import type { TenantTx } from '#platform/db'
import { eraseMentions, mentionsOf, toMentionPattern } from '#platform/erasure'
import type { ErasedPerson, ErasureBatch } from '#platform/module'
import { toSearchColumns } from '../../deals/opportunities/create-opportunity.service.ts'
import {
  lockOpportunityNames,
  updateOpportunityRow,
  updateOpportunitySearchTexts,
} from '../../deals/opportunities/opportunities.queries.ts'
import { syncAccountContactsLater } from '../../people/accounts/account-contacts.jobs.ts'
import { propagateAccountName } from '../../people/accounts/account-contacts.service.ts'
import {
  type AccountRow,
  findAccountIncludingDeleted,
  lockAccountIncludingDeleted,
  updateAccountRow,
} from '../../people/accounts/accounts.queries.ts'
import { deriveAccountKeys } from '../../people/accounts/create-account.service.ts'
import { findAccountNames } from '../../records/references/record-names.queries.ts'
import { prepareCustomErasure } from './erase-records.service.ts'
import { hasOtherContacts, lockDealsIncludingDeleted } from './erase-related.queries.ts'
import { erasedName } from './mentions.rules.ts'

export async function eraseRelatedDeals(tx: TenantTx, person: ErasedPerson): Promise<ErasureBatch> {
  const pattern = toMentionPattern(mentionsOf(person))
  const custom = await prepareCustomErasure(tx, 'opportunity', pattern)
  const deals = await lockDealsIncludingDeleted(tx, person.opportunity_ids)
  const accountNames = await findAccountNames(
    tx,
    deals.map(({ account_id }) => account_id),
  )
  let changed = 0
  for (const deal of deals) {
    const fields = {
      name: eraseMentions(deal.name, pattern),
      notes: eraseMentions(deal.notes, pattern),
      next_step: eraseMentions(deal.next_step, pattern),
      lost_detail: eraseMentions(deal.lost_detail, pattern),
      custom: custom.eraseCustom(deal),
    }
    if (!isChanged(deal, fields)) continue
    const search = toSearchColumns(fields.name, accountNames.get(deal.account_id) ?? '')
    const customColumns = { custom: JSON.stringify(fields.custom), custom_text: custom.toText(fields.custom) }
    await updateOpportunityRow(tx, deal.id, { ...fields, ...search, ...customColumns })
    changed++
  }
  return { counts: { ...(await custom.deleteIndexed()), 'crm.opportunities': changed } }
}

export async function eraseRelatedAccounts(tx: TenantTx, person: ErasedPerson, after = ''): Promise<ErasureBatch> {
  const [id, next] = person.account_ids.filter((accountId) => accountId > after)
  if (!id) return { counts: {} }
  const isPerson = !(await hasOtherContacts(tx, id, person.contact_ids))
  const pattern = toMentionPattern(mentionsOf(person))
  const erase = (account: AccountRow) =>
    account.type === 'person' && isPerson ? personAccountFields : accountFieldsWithoutMentions(account, pattern)

  const known = await findAccountIncludingDeleted(tx, id)
  const name = known && erase(known).name
  if (name && name !== known.name) await renameInDeals(tx, id, name)
  const custom = await prepareCustomErasure(tx, 'account', pattern)
  const account = await lockAccountIncludingDeleted(tx, id)
  const fields = account && { ...erase(account), custom: custom.eraseCustom(account) }
  if (fields && isChanged(account, fields)) {
    const columns = {
      ...fields,
      ...deriveAccountKeys({ ...account, ...fields }),
      custom: JSON.stringify(fields.custom),
      custom_text: custom.toText(fields.custom),
    }
    const erased = await updateAccountRow(tx, id, columns)
    if (await propagateAccountName(tx, erased)) await syncAccountContactsLater(tx, id, false)
  }
  const counts = { ...(await custom.deleteIndexed()), 'crm.accounts': fields && isChanged(account, fields) ? 1 : 0 }
  return { counts, ...(next && { next: id }) }
}

const personAccountFields = {
  name: `${erasedName.first_name} ${erasedName.last_name}`,
  domain: null,
  website: null,
  phone: null,
  address: null,
  notes: null,
}

const accountFieldsWithoutMentions = ({ name, website, phone, notes }: AccountRow, pattern: RegExp | null) => ({
  name: eraseMentions(name, pattern),
  website: eraseMentions(website, pattern),
  phone: eraseMentions(phone, pattern),
  notes: eraseMentions(notes, pattern),
})

async function renameInDeals(tx: TenantTx, accountId: string, accountName: string): Promise<void> {
  const deals = await lockOpportunityNames(tx, accountId)
  const texts = deals.map(({ id, name }) => ({ id, search_text: toSearchColumns(name, accountName).search_text }))
  if (texts.length) await updateOpportunitySearchTexts(tx, texts)
}

const isChanged = (row: object, fields: object): boolean =>
  Object.entries(fields).some(([field, value]) => JSON.stringify(row[field as never]) !== JSON.stringify(value))
