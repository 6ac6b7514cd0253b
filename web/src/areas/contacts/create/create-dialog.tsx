import { useEffect, useState } from 'react'
import { areaKeys } from '../../../api/area-keys.ts'
import { readDraft, writeDraft } from '../../../api/drafts.ts'
import { useIntent } from '../../../api/intent.ts'
import { createAccount, findAccounts } from '../../../patterns/accounts/accounts-api.ts'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import { FieldRow } from '../../../patterns/form/field-row.tsx'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { RecordSearch } from '../../../patterns/record/record-search.tsx'
import { ExistingRecord } from '../../../patterns/record/similar-records.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { can, useMe } from '../../../session/me.ts'
import { contactCreateTexts as texts } from '../../../texts/en/contact-create-texts.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useValues } from '../../../ui/use-values.ts'
import { nameOfContact } from '../contact-names.ts'
import { isUnknownPerson, type NewContactValues, noValues, toSimilarSearch } from './contact-values.ts'
import { createContact } from './new-contact.ts'
import { SimilarContacts } from './similar-contacts.tsx'

type CreateDialogProps = { open: (id: string) => void; close: () => void }

/** Asks for the email address first, because it finds the person if the workspace knows them. The draft is kept. */
export function CreateDialog({ open, close }: CreateDialogProps) {
  const me = useMe()
  const draftKey = `${me.id}:new-contact`
  const { values, bind } = useValues<NewContactValues>(() => ({ ...noValues, ...parseDraft(readDraft(draftKey)) }))
  const [account, setAccount] = useState<Choice>()
  const [search, setSearch] = useState('')
  const [accountIntent, intent] = [useIntent(), useIntent(draftKey)]
  const isUnknown = isUnknownPerson(values)
  useEffect(() => writeDraft(draftKey, isUnknown ? '' : JSON.stringify(values)), [draftKey, values])
  const form = useForm(async () => {
    const accountId = account && (account.id ?? (await createAccount(account.name, accountIntent.keyOf(account.name))))
    // An account that was just created must not be created again if the contact is rejected.
    if (account?.id === null) setAccount({ ...account, id: accountId! })
    const links = { account_id: accountId ?? null, owner_id: values.owner === 'me' ? me.id : null }
    const contact = await createContact(values, links, intent)
    writeDraft(draftKey, '')
    showToast(texts.created(nameOfContact(contact)))
    show(contact.id)
  })
  const show = (id: string) => {
    close()
    open(id)
  }
  const { errors, problem } = form
  const existingId = problem?.code === 'already_exists' ? problem.extra.existing_id : undefined
  const checkSimilar = () => setSearch(toSimilarSearch(values))
  return (
    <FormDialog
      title={texts.title}
      submit={texts.create}
      form={{
        ...form,
        isPending: form.isPending || isUnknown,
        ...(existingId !== undefined && { message: undefined }),
      }}
      close={close}
    >
      <TextField
        label={texts.email}
        type="email"
        maxLength={254}
        autoFocus
        {...bind('email')}
        error={errors.email}
        onBlur={checkSimilar}
      />
      <FieldRow>
        <TextField
          label={texts.firstName}
          maxLength={100}
          {...bind('first_name')}
          error={errors.first_name}
          onBlur={checkSimilar}
        />
        <TextField
          label={texts.lastName}
          maxLength={100}
          {...bind('last_name')}
          error={errors.last_name}
          onBlur={checkSimilar}
        />
      </FieldRow>
      <SimilarContacts search={search} open={show} />
      {can(me, 'accounts.read') && (
        <RecordSearch
          label={texts.account}
          queryKey={areaKeys.accountSearch}
          find={findAccounts}
          chosen={account}
          choose={setAccount}
          createText={can(me, 'accounts.write') ? texts.createAccount : undefined}
          error={errors.account_id}
        />
      )}
      <FieldRow>
        <TextField label={texts.jobTitle} maxLength={150} {...bind('title')} error={errors.title} />
        <TextField label={texts.phone} type="tel" maxLength={40} {...bind('phone')} error={errors.phone} />
      </FieldRow>
      <SelectField
        label={texts.owner}
        {...bind('owner')}
        error={errors.owner_id}
        options={[
          { value: 'me', label: texts.me },
          { value: 'none', label: texts.noOwner },
        ]}
      />
      {isUnknown && <p>{texts.required}</p>}
      {typeof existingId === 'string' && (
        <ExistingRecord text={texts.exists} openText={texts.openExisting} open={() => show(existingId)} />
      )}
    </FormDialog>
  )
}

function parseDraft(text: string): Partial<NewContactValues> {
  try {
    return JSON.parse(text || '{}')
  } catch {
    return {}
  }
}
