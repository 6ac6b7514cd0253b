import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useIntent } from '../../../api/intent.ts'
import { parseAmount } from '../../../patterns/amounts.ts'
import { fieldProblem } from '../../../patterns/field-problem.ts'
import { FieldRow } from '../../../patterns/form/field-row.tsx'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { FormProblem } from '../../../patterns/form-message.tsx'
import { type Form, useForm } from '../../../patterns/use-form.ts'
import { useMe } from '../../../session/me.ts'
import { campaignListTexts } from '../../../texts/en/campaign-list-texts.ts'
import { campaignTexts } from '../../../texts/en/campaign-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { showToast } from '../../../ui/toast.tsx'
import {
  type Campaign,
  cloneCampaign,
  createCampaign,
  type NewCampaign,
  refreshCampaigns,
  storeCampaign,
} from '../campaign-queries.ts'
import { type CampaignType, campaignTypes } from '../campaign-status.ts'

const texts = campaignListTexts.form
const typeOptions = campaignTypes.map((value) => ({ value, label: campaignListTexts.types[value] }))

/** Creates a draft and opens its page, where people can be added. */
export function CreateDialog({ close }: { close: () => void }) {
  const me = useMe()
  const intent = useIntent()
  const open = useOpenCampaign(close)
  const form = useForm(async (data) => {
    const text = (name: string) => String(data.get(name) ?? '').trim()
    const [name, start, end] = [text('name'), text('start_on'), text('end_on')]
    if (name === '') throw fieldProblem('name', texts.required(texts.name))
    if (start && end && end < start) throw fieldProblem('end_on', texts.order)
    const amount = text('budget') === '' ? null : parseAmount(text('budget'), me.locale)
    if (amount === undefined) throw fieldProblem('budget', texts.notAnAmount)
    const values: NewCampaign = {
      name,
      type: text('type') as CampaignType,
      ...(start && { start_on: start }),
      ...(end && { end_on: end }),
      ...(amount !== null && { budget: { amount, currency: text('currency').toUpperCase() } }),
    }
    open(await createCampaign(values, intent.keyOf(values)), 'people')
  }, campaignTexts.problem)
  const { errors } = form
  return (
    <FormDialog title={texts.title} submit={texts.submit} form={withoutExisting(form)} close={close}>
      <TextField label={texts.name} name="name" required maxLength={200} autoFocus error={errors.name} />
      <Existing form={form} open={(id) => open({ id })} />
      <SelectField label={texts.type} name="type" options={typeOptions} hint={texts.typeHint} error={errors.type} />
      <FieldRow>
        <TextField label={texts.start} name="start_on" type="date" error={errors.start_on} />
        <TextField label={texts.end} name="end_on" type="date" error={errors.end_on} />
      </FieldRow>
      <FieldRow>
        <TextField
          label={texts.budget}
          name="budget"
          inputMode="decimal"
          error={errors.budget ?? errors['budget.amount']}
        />
        <TextField
          label={texts.currency}
          name="currency"
          maxLength={3}
          defaultValue={me.tenant.general.currency}
          error={errors['budget.currency']}
        />
      </FieldRow>
    </FormDialog>
  )
}

/** Copies a campaign as a draft of the user. */
export function DuplicateDialog({ campaign, close }: { campaign: Campaign; close: () => void }) {
  const intent = useIntent()
  const open = useOpenCampaign(close)
  const [proposed] = useState(() => texts.copyOf(campaign.name).slice(0, 200))
  const form = useForm(async (data) => {
    const name = String(data.get('name')).trim()
    if (name === '') throw fieldProblem('name', texts.required(texts.name))
    open(await cloneCampaign(campaign.id, name, intent.keyOf(name)), 'settings')
  }, campaignTexts.problem)
  return (
    <FormDialog
      title={texts.duplicateTitle(campaign.name)}
      submit={texts.duplicateSubmit}
      form={withoutExisting(form)}
      close={close}
    >
      <p>{texts.duplicateText}</p>
      <TextField
        label={texts.name}
        name="name"
        required
        maxLength={200}
        autoFocus
        defaultValue={proposed}
        error={form.errors.name}
      />
      <Existing form={form} open={(id) => open({ id })} />
    </FormDialog>
  )
}

const existingIdOf = ({ problem }: Form): string | undefined => {
  const id = problem?.code === 'already_exists' ? problem.extra.existing_id : undefined
  return typeof id === 'string' ? id : undefined
}

const withoutExisting = (form: Form): Form => (existingIdOf(form) ? { ...form, message: undefined } : form)

function Existing({ form, open }: { form: Form; open: (id: string) => void }) {
  const id = existingIdOf(form)
  return (
    id && (
      <FormProblem>
        {texts.exists}
        <Button size="small" onClick={() => open(id)}>
          {texts.openExisting}
        </Button>
      </FormProblem>
    )
  )
}

/** Opens a campaign, a new one with the part where the work goes on. */
function useOpenCampaign(close: () => void) {
  const navigate = useNavigate()
  return (campaign: { id: string } | Campaign, tab?: 'people' | 'settings') => {
    close()
    if ('name' in campaign) {
      storeCampaign(campaign)
      showToast(texts.created(campaign.name))
      void refreshCampaigns()
    }
    void navigate({
      to: '/campaigns/$campaignId',
      params: { campaignId: campaign.id },
      search: { tab },
    })
  }
}
