import { useState } from 'react'
import { queryClient } from '../../api/queries.ts'
import { FormDialog } from '../../patterns/form-dialog.tsx'
import { useForm } from '../../patterns/use-form.ts'
import { useMe } from '../../session/me.ts'
import { apiKeyTexts } from '../../texts/en/settings-texts.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { CreatedKeyDialog } from './created-key-dialog.tsx'
import { ScopeTable } from './scope-table.tsx'
import { apiKeysQuery, type CreatedApiKey, createApiKey, type NewApiKey } from './settings-queries.ts'

type Access = keyof typeof apiKeyTexts.accessOptions

const accessOptions = (Object.keys(apiKeyTexts.accessOptions) as Access[]).map((value) => ({
  value,
  ...apiKeyTexts.accessOptions[value],
}))

const expiries = (['90', '30', '365', ''] as const).map((value) => ({ value, label: apiKeyTexts.expiries[value] }))

const dayMs = 86_400_000

export function CreateKeyDialog({ close }: { close: () => void }) {
  const me = useMe()
  const [access, setAccess] = useState<Access>('read_only')
  const [hasNoScopes, setNoScopes] = useState(false)
  const [created, setCreated] = useState<CreatedApiKey>()
  const form = useForm(async (data) => {
    const scopes = data.getAll('scopes') as NonNullable<NewApiKey['scopes']>
    setNoScopes(access === 'chosen' && scopes.length === 0)
    if (access === 'chosen' && scopes.length === 0) return
    const days = Number(data.get('expiry'))
    const key = await createApiKey({
      name: String(data.get('name')).trim(),
      ...(access === 'chosen' ? { scopes } : { preset: 'read_only' as const }),
      ...(days > 0 && { expires_at: new Date(Date.now() + days * dayMs).toISOString() }),
    })
    setCreated(key)
    await queryClient.invalidateQueries({ queryKey: apiKeysQuery(me.id).queryKey })
  }, apiKeyTexts.problem)
  if (created) return <CreatedKeyDialog apiKey={created} close={close} />
  return (
    <FormDialog
      title={apiKeyTexts.create}
      submit={apiKeyTexts.create}
      form={hasNoScopes ? { ...form, message: apiKeyTexts.noScopes } : form}
      close={close}
      width={access === 'chosen' ? 'wide' : 'normal'}
    >
      <TextField
        label={apiKeyTexts.name}
        name="name"
        required
        maxLength={80}
        hint={apiKeyTexts.nameHint}
        error={form.errors.name}
      />
      <RadioGroup
        label={apiKeyTexts.access}
        name="access"
        options={accessOptions}
        value={access}
        onChange={setAccess}
      />
      {access === 'chosen' && <ScopeTable scopes={me.scopes} />}
      <SelectField label={apiKeyTexts.expiry} name="expiry" options={expiries} error={form.errors.expires_at} />
    </FormDialog>
  )
}
