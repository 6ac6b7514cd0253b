import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { areaKeys } from '../../../api/area-keys.ts'
import { useIntent } from '../../../api/intent.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { createAccount, findAccounts } from '../../../patterns/accounts/accounts-api.ts'
import { parseAmount } from '../../../patterns/amounts.ts'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import { fieldProblem } from '../../../patterns/field-problem.ts'
import { FieldRow } from '../../../patterns/form/field-row.tsx'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { findUsers } from '../../../patterns/person-picker.tsx'
import { RecordSearch } from '../../../patterns/record/record-search.tsx'
import { pipelinesQuery } from '../../../patterns/shared-queries.ts'
import { useForm } from '../../../patterns/use-form.ts'
import { can, useMe } from '../../../session/me.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { toDayInput } from '../../../ui/time-zone.ts'
import { showToast } from '../../../ui/toast.tsx'
import { createDeal, type Deal, type NewDeal, refreshDeals } from '../deal-queries.ts'

const texts = dealTexts.create

type NewDealProps = { pipelineId: string | undefined; close: () => void; created: (deal: Deal) => void }

/** Creates a deal, and its account if it does not exist yet. */
export function NewDealDialog({ pipelineId, close, created }: NewDealProps) {
  const me = useMe()
  const queries = useQueryClient()
  const { data: all = [] } = useQuery(pipelinesQuery)
  const pipelines = all.filter(({ is_active }) => is_active)
  const [account, setAccount] = useState<Choice>()
  const [chosenPipeline, choosePipeline] = useState(pipelineId)
  const [chosenStage, chooseStage] = useState<string>()
  const [owner, setOwner] = useState<Choice | undefined>({ id: me.id, name: me.name })
  const pipeline = pipelines.find(({ id }) => id === chosenPipeline) ?? pipelines.find(({ is_default }) => is_default)
  const stages = pipeline?.stages.filter(({ kind, is_active }) => kind === 'open' && is_active) ?? []
  const stageKey = stages.find(({ key }) => key === chosenStage)?.key ?? stages[0]?.key

  const [accountIntent, dealIntent] = [useIntent(), useIntent()]
  const form = useForm(async (data) => {
    const text = (name: string) => String(data.get(name) ?? '').trim()
    const name = text('name')
    if (name === '') throw fieldProblem('name', texts.required(dealTexts.fields.name))
    if (!account) throw fieldProblem('account_id', texts.chooseAccount)
    if (text('close_on') === '') throw fieldProblem('close_on', texts.required(dealTexts.fields.closeOn))
    const amount = text('amount') === '' ? null : parseAmount(text('amount'), me.locale)
    if (amount === undefined) throw fieldProblem('amount', dealTexts.notAnAmount)
    const account_id = account.id ?? (await createAccount(account.name, accountIntent.keyOf(account.name)))
    // An account that was just created must not be created again if the deal is rejected.
    if (account.id === null) setAccount({ ...account, id: account_id })
    const values: NewDeal = {
      name,
      account_id,
      pipeline_id: pipeline?.id,
      stage_key: stageKey,
      close_on: text('close_on'),
      amount: amount === null ? null : { amount, currency: text('currency').toUpperCase() },
      owner_id: owner?.id ?? null,
    }
    const deal = await createDeal(values, dealIntent.keyOf(values))
    await refreshDeals(queries)
    showToast(texts.done(deal.name))
    created(deal)
  })
  const { errors } = form
  return (
    <FormDialog title={dealTexts.newDeal} submit={texts.submit} form={form} close={close}>
      <TextField label={dealTexts.fields.name} name="name" required maxLength={200} autoFocus error={errors.name} />
      <RecordSearch
        label={texts.account}
        queryKey={areaKeys.accountSearch}
        find={findAccounts}
        chosen={account}
        choose={setAccount}
        createText={can(me, 'accounts.write') ? texts.createAccount : undefined}
        error={errors.account_id}
      />
      <FieldRow>
        {pipelines.length > 1 && (
          <SelectField
            label={dealTexts.pipeline}
            options={pipelines.map(({ id, name }) => ({ value: id, label: name }))}
            value={pipeline?.id}
            onChange={(event) => choosePipeline(event.target.value)}
            error={errors.pipeline_id}
          />
        )}
        <SelectField
          label={texts.stage}
          options={stages.map(({ key, label }) => ({ value: key, label }))}
          value={stageKey}
          onChange={(event) => chooseStage(event.target.value)}
          error={errors.stage_key}
        />
      </FieldRow>
      <FieldRow>
        <TextField
          label={dealTexts.fields.amount}
          name="amount"
          inputMode="decimal"
          error={errors.amount ?? errors['amount.amount']}
        />
        <TextField
          label={texts.currency}
          name="currency"
          maxLength={3}
          defaultValue={me.tenant.general.currency}
          error={errors['amount.currency']}
        />
      </FieldRow>
      <FieldRow>
        <TextField
          label={dealTexts.fields.closeOn}
          name="close_on"
          type="date"
          required
          defaultValue={toDayInput(Date.now(), 30)}
          error={errors.close_on}
        />
        <RecordSearch
          label={dealTexts.owner}
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
