import { useQuery } from '@tanstack/react-query'
import { pipelinesQuery } from '../../../patterns/shared-queries.ts'
import { convertTexts as texts } from '../../../texts/en/convert-texts.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'
import type { useValues } from '../../../ui/use-values.ts'
import { nameOfLead } from '../lead-names.ts'
import type { Lead } from '../lead-queries.ts'
import styles from './convert.module.css'

export type ConversionValues = Record<
  'account_id' | 'contact_id' | 'name' | 'amount' | 'close_on' | 'pipeline_id',
  string
>
export type BindConversion = ReturnType<typeof useValues<ConversionValues>>['bind']

export const suggestDeal = (lead: Lead) => ({
  name: lead.company ?? nameOfLead(lead),
  amount: '',
  close_on: '',
  pipeline_id: '',
})

type DealFieldsProps = { errors: Readonly<Record<string, string>>; currency: string; bind: BindConversion }

export function DealFields({ errors, currency, bind }: DealFieldsProps) {
  const pipelines = useQuery(pipelinesQuery).data?.filter(({ is_active }) => is_active)
  const standard = pipelines?.find(({ is_default }) => is_default)
  return (
    <fieldset className={styles.deal}>
      <legend className="visually-hidden">{texts.deal}</legend>
      <TextField label={texts.name} {...bind('name')} maxLength={200} required error={errors['opportunity.name']} />
      <div className={styles.two}>
        <TextField
          label={texts.amount(currency)}
          {...bind('amount')}
          type="number"
          min={0}
          step="0.01"
          error={errors['opportunity.amount'] ?? errors['opportunity.amount.amount']}
        />
        <TextField label={texts.closeOn} {...bind('close_on')} type="date" error={errors['opportunity.close_on']} />
      </div>
      {pipelines && pipelines.length > 1 && (
        <SelectField
          label={texts.pipeline}
          {...bind('pipeline_id')}
          options={[
            { value: '', label: standard?.name ?? '' },
            ...pipelines.filter((one) => one !== standard).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
    </fieldset>
  )
}

/** The deal of the form. Without a date and a pipeline the API uses those of the settings. */
export const toDeal = ({ name, amount, close_on, pipeline_id }: ConversionValues, currency: string) => ({
  ...(name && { name }),
  ...(amount && { amount: { amount, currency } }),
  ...(close_on && { close_on }),
  ...(pipeline_id && { pipeline_id }),
})
