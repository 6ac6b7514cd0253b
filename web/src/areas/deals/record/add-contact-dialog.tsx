import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { areaKeys } from '../../../api/area-keys.ts'
import { api, read } from '../../../api/client.ts'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import { fieldProblem } from '../../../patterns/field-problem.ts'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { RecordSearch } from '../../../patterns/record/record-search.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { SelectField } from '../../../ui/field.tsx'
import type { Deal } from '../deal-queries.ts'
import { type ContactRole, roleOptions, setDealContact } from './deal-contact-api.ts'

export function AddContactDialog({ deal, close }: { deal: Deal; close: () => void }) {
  const queries = useQueryClient()
  const [contact, setContact] = useState<Choice>()
  const [role, setRole] = useState<ContactRole>('other')
  const form = useForm(async () => {
    if (!contact?.id) throw fieldProblem('contact_id', dealTexts.chooseContact)
    await setDealContact(deal.id, contact.id, role)
    close()
    await queries.invalidateQueries({ queryKey: areaKeys.deals.detail(deal.id) })
  })
  return (
    <FormDialog title={dealTexts.addContact} submit={dealTexts.addContact} form={form} close={close}>
      <RecordSearch
        label={dealTexts.contact}
        queryKey={(search) => areaKeys.contactSearch(deal.account_id, search)}
        find={(search, signal) => findContacts(search, deal.account_id, signal)}
        chosen={contact}
        choose={setContact}
        error={form.errors.contact_id}
        autoFocus
      />
      <SelectField
        label={dealTexts.role}
        options={roleOptions}
        value={role}
        onChange={(event) => setRole(event.target.value as ContactRole)}
        error={form.errors.role}
      />
    </FormDialog>
  )
}

/** Without a text, the contacts of the account are proposed. */
async function findContacts(search: string, accountId: string, signal: AbortSignal): Promise<Choice[]> {
  const filter = search ? { search } : { account_id: accountId }
  const query = { ...filter, limit: 8, count: 'none' as const, fields: 'summary' as const }
  const contacts = await read(api.GET('/api/contacts/', { params: { query }, signal }))
  return contacts.map(({ id, name, email, account }) => ({
    id,
    name: name ?? email ?? dealTexts.noName,
    detail: account?.name,
  }))
}
