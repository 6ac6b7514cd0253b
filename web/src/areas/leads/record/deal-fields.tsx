import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import { convertTexts as texts } from '../../../texts/en/convert-texts.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { nameOfLead } from '../lead-names.ts'
import type { Lead } from '../lead-queries.ts'
import styles from './convert.module.css'

type DealFieldsProps = { lead: Lead; errors: Readonly<Record<string, string>>; currency: string }

export function DealFields({ lead, errors, currency }: DealFieldsProps) {
  const pipelines = useQuery({
    queryKey: ['pipelines'],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/api/opportunities/pipelines', { signal }))).items.filter(({ is_active }) => is_active),
    staleTime: Number.POSITIVE_INFINITY,
  }).data
  const standard = pipelines?.find(({ is_default }) => is_default)
  return (
    <fieldset className={styles.deal}>
      <legend className="visually-hidden">{texts.deal}</legend>
      <TextField
        label={texts.name}
        name="name"
        maxLength={200}
        required
        defaultValue={lead.company ?? nameOfLead(lead)}
        error={errors['opportunity.name']}
      />
      <div className={styles.two}>
        <TextField
          label={texts.amount(currency)}
          name="amount"
          type="number"
          min={0}
          step="0.01"
          error={errors['opportunity.amount'] ?? errors['opportunity.amount.amount']}
        />
        <TextField label={texts.closeOn} name="close_on" type="date" error={errors['opportunity.close_on']} />
      </div>
      {pipelines && pipelines.length > 1 && (
        <SelectField
          label={texts.pipeline}
          name="pipeline_id"
          defaultValue={standard?.id}
          options={pipelines.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
    </fieldset>
  )
}

/** The deal of the form. Without a date the API uses the one of the settings. */
export function readDeal(form: FormData, currency: string) {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  return {
    ...(text('name') && { name: text('name') }),
    ...(text('amount') && { amount: { amount: text('amount'), currency } }),
    ...(text('close_on') && { close_on: text('close_on') }),
    ...(text('pipeline_id') && { pipeline_id: text('pipeline_id') }),
  }
}
