import { useState } from 'react'
import { useIntent } from '../../../api/intent.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import { fieldProblem } from '../../../patterns/field-problem.ts'
import { FieldRow } from '../../../patterns/form/field-row.tsx'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { FormProblem } from '../../../patterns/form-message.tsx'
import { findUsers } from '../../../patterns/person-picker.tsx'
import { RecordSearch } from '../../../patterns/record/record-search.tsx'
import { useForm } from '../../../patterns/use-form.ts'
import { useMe } from '../../../session/me.ts'
import { accountListTexts } from '../../../texts/en/account-list-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { createAccount, type NewAccount, refreshAccounts, storeAccount } from '../account-queries.ts'
import { type AccountType, accountTypes } from '../account-types.ts'

const texts = accountListTexts.form
const typeOptions = accountTypes.map((value) => ({ value, label: accountListTexts.types[value] }))

/** Creates an account and opens its page. The domain shows whether the workspace has it already. */
export function CreateDialog({ open, close }: { open: (id: string) => void; close: () => void }) {
  const me = useMe()
  const intent = useIntent()
  const [owner, setOwner] = useState<Choice | undefined>({ id: me.id, name: me.name })
  const form = useForm(async (data) => {
    const text = (name: string) => String(data.get(name) ?? '').trim()
    if (text('name') === '') throw fieldProblem('name', texts.required)
    const filled = ['domain', 'industry', 'phone'].filter((name) => text(name) !== '')
    const values: NewAccount = {
      name: text('name'),
      type: text('type') as AccountType,
      owner_id: owner?.id ?? null,
      ...Object.fromEntries(filled.map((name) => [name, text(name)])),
    }
    const account = await createAccount(values, intent.keyOf(values))
    storeAccount(account)
    showToast(texts.created(account.name))
    void refreshAccounts()
    show(account.id)
  })
  const show = (id: string) => {
    close()
    open(id)
  }
  const { errors, problem } = form
  const existing = problem?.code === 'already_exists' ? problem.extra.existing_id : undefined
  const existingId = typeof existing === 'string' ? existing : undefined
  return (
    <FormDialog
      title={texts.title}
      submit={texts.submit}
      form={existingId ? { ...form, message: undefined } : form}
      close={close}
    >
      <TextField label={texts.name} name="name" required maxLength={200} autoFocus error={errors.name} />
      <TextField
        label={texts.domain}
        name="domain"
        maxLength={253}
        inputMode="url"
        hint={texts.domainHint}
        error={errors.domain}
      />
      {existingId && (
        <FormProblem>
          {texts.exists}
          <Button size="small" onClick={() => show(existingId)}>
            {texts.openExisting}
          </Button>
        </FormProblem>
      )}
      <FieldRow>
        <SelectField label={texts.type} name="type" options={typeOptions} error={errors.type} />
        <TextField label={texts.industry} name="industry" maxLength={100} error={errors.industry} />
      </FieldRow>
      <FieldRow>
        <TextField label={texts.phone} name="phone" type="tel" maxLength={40} error={errors.phone} />
        <RecordSearch
          label={texts.owner}
          queryKey={queryKeys.users.picker}
          find={findUsers}
          chosen={owner}
          choose={setOwner}
          error={errors.owner_id}
        />
      </FieldRow>
    </FormDialog>
  )
}
