import { useRef } from 'react'
import { areaKeys } from '../../../api/area-keys.ts'
import { api, read } from '../../../api/client.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { toAmountText } from '../../../patterns/amounts.ts'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import { FieldRow } from '../../../patterns/form/field-row.tsx'
import formStyles from '../../../patterns/form.module.css'
import { FormConflict, FormMessage } from '../../../patterns/form-message.tsx'
import { findUsers } from '../../../patterns/person-picker.tsx'
import { useRecordForm } from '../../../patterns/use-record-form.ts'
import { useMe } from '../../../session/me.ts'
import { campaignListTexts } from '../../../texts/en/campaign-list-texts.ts'
import { campaignSettingsTexts as texts } from '../../../texts/en/campaign-settings-texts.ts'
import { campaignTexts } from '../../../texts/en/campaign-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx'
import { type Campaign, loadCampaign, refreshCampaigns, storeCampaign, updateCampaign } from '../campaign-queries.ts'
import { type CampaignType, campaignTypes } from '../campaign-status.ts'
import { type CampaignFields, currencyName, fieldsOf, type MoneyField, readFields } from './campaign-fields.ts'
import { createFormat, noteNames } from './field-values.ts'
import { ReferenceField } from './reference-field.tsx'
import styles from './settings.module.css'

const labels = texts.fields
const typeOptions = campaignTypes.map((value) => ({ value, label: campaignListTexts.types[value] }))

export function DetailsForm({ campaign }: { campaign: Campaign }) {
  const { locale } = useMe()
  const names = useRef(new Map<string, string>()).current
  noteNames(names, campaign)
  const form = useRecordForm<Campaign, CampaignFields>({
    record: campaign,
    fieldsOf,
    readFields: (data) => readFields(data, locale),
    send: (changes, version) => updateCampaign({ id: campaign.id, version }, changes),
    reload: async () => noteNames(names, await loadCampaign(campaign.id)),
    onSaved: (saved) => {
      storeCampaign(saved)
      void refreshCampaigns()
    },
    describe: campaignTexts.problem,
  })
  const { base, errors } = form
  const hasPeople = campaign.member_count > 0
  return (
    <form key={form.formKey} ref={form.element} className={formStyles.form} onSubmit={form.onSubmit}>
      <TextField
        label={labels.name}
        name="name"
        required
        maxLength={200}
        defaultValue={base.name}
        error={errors.name}
      />
      <TypeField type={base.type} isFixed={hasPeople} error={errors.type} />
      <TextArea
        label={labels.description}
        name="description"
        maxLength={5000}
        defaultValue={base.description ?? ''}
        error={errors.description}
      />
      <FieldRow>
        <TextField
          label={labels.start_on}
          name="start_on"
          type="date"
          defaultValue={base.start_on ?? ''}
          error={errors.start_on}
        />
        <TextField
          label={labels.end_on}
          name="end_on"
          type="date"
          defaultValue={base.end_on ?? ''}
          error={errors.end_on}
        />
      </FieldRow>
      <p className={styles.text}>{texts.datesHint}</p>
      <AmountField name="budget" campaign={base} errors={errors} />
      <AmountField name="actual_cost" campaign={base} errors={errors} />
      <AmountField name="expected_revenue" campaign={base} errors={errors} />
      <TextField
        label={labels.expected_responses}
        name="expected_responses"
        type="number"
        min={0}
        max={1_000_000_000}
        defaultValue={base.expected_responses ?? ''}
        error={errors.expected_responses}
      />
      <ReferenceField
        label={labels.owner_id}
        name="owner_id"
        initial={toChoice(base.owner_id, base.owner?.name)}
        queryKey={queryKeys.users.picker}
        find={findUsers}
        note={names}
        error={errors.owner_id}
      />
      <ReferenceField
        label={labels.parent_campaign_id}
        name="parent_campaign_id"
        hint={texts.parentHint}
        initial={toChoice(base.parent_campaign_id, base.parent?.name)}
        queryKey={areaKeys.campaigns.picker}
        find={(text, signal) => findOtherCampaigns(campaign.id, text, signal)}
        note={names}
        error={errors.parent_campaign_id}
      />
      <ReferenceField
        label={labels.source}
        name="source"
        hint={texts.sourceHint}
        initial={toChoice(base.source, base.source ?? undefined)}
        queryKey={areaKeys.campaigns.sources}
        find={findSources}
        note={names}
        error={errors.source}
      />
      <TextField
        label={labels.utm_campaign}
        name="utm_campaign"
        maxLength={200}
        hint={texts.utmHint}
        defaultValue={base.utm_campaign ?? ''}
        error={errors.utm_campaign}
      />
      <TextField
        label={labels.tags}
        name="tags"
        hint={texts.tagsHint}
        defaultValue={base.tags.join(', ')}
        error={errors.tags ?? errors['tags.0']}
      />
      <FormMessage form={form} />
      <FormConflict form={form} labels={labels} format={createFormat(names, locale)} />
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" disabled={form.isPending}>
          {texts.save}
        </Button>
      </div>
    </form>
  )
}

/** A select that is disabled is no part of the form, so that its value is in a field of its own. */
const TypeField = ({ type, isFixed, error }: { type: CampaignType; isFixed: boolean; error: string | undefined }) => (
  <>
    <SelectField
      label={labels.type}
      options={typeOptions}
      defaultValue={type}
      error={error}
      {...(isFixed ? { disabled: true, hint: texts.typeFixed } : { name: 'type' })}
    />
    {isFixed && <input type="hidden" name="type" value={type} />}
  </>
)

type AmountFieldProps = { name: MoneyField; campaign: Campaign; errors: Readonly<Record<string, string>> }

function AmountField({ name, campaign, errors }: AmountFieldProps) {
  const { locale, tenant } = useMe()
  const money = campaign[name]
  return (
    <div className={styles.amount}>
      <TextField
        label={labels[name]}
        name={name}
        inputMode="decimal"
        defaultValue={toAmountText(money?.amount, locale)}
        error={errors[name] ?? errors[`${name}.amount`]}
      />
      <TextField
        label={texts.currencyOf(labels[name])}
        isLabelHidden
        name={currencyName(name)}
        maxLength={3}
        defaultValue={money?.currency ?? tenant.general.currency}
        error={errors[`${name}.currency`]}
      />
    </div>
  )
}

const toChoice = (id: string | null, name: string | undefined): Choice | undefined =>
  id === null ? undefined : { id, name: name ?? id }

async function findOtherCampaigns(ownId: string, search: string, signal: AbortSignal): Promise<Choice[]> {
  const query = { search: search || undefined, limit: 8, count: 'none' as const }
  const { items } = await read(api.GET('/api/campaigns/', { params: { query }, signal }))
  return items
    .filter(({ id }) => id !== ownId)
    .map(({ id, name, type }) => ({ id, name, detail: campaignListTexts.types[type] }))
}

async function findSources(text: string, signal: AbortSignal): Promise<Choice[]> {
  const { items } = await read(api.GET('/api/leads/sources', { signal }))
  const wanted = text.toLowerCase()
  return items
    .filter(({ key, label }) => `${key} ${label}`.toLowerCase().includes(wanted))
    .map(({ key, label }) => ({ id: key, name: label }))
}
