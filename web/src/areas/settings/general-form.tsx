import { useMemo } from 'react'
import { queryClient } from '../../api/queries.ts'
import { useTimeZones } from '../../patterns/choices/time-zones.ts'
import { FormConflict, FormMessage } from '../../patterns/form-message.tsx'
import { useRecordForm } from '../../patterns/use-record-form.ts'
import { useMe } from '../../session/me.ts'
import { workspaceTexts } from '../../texts/en/settings-texts.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { listCurrencies, listLocales, listMonths } from './choices.ts'
import styles from './settings.module.css'
import { adoptSettings, readSettings, type Settings, settingsQuery, updateSettings } from './settings-queries.ts'

type General = Settings['general']

const fieldsOf = ({ general }: Settings): General => general

const readFields = (data: FormData): General => ({
  name: String(data.get('name')).trim(),
  timezone: String(data.get('timezone')),
  locale: String(data.get('locale')),
  currency: String(data.get('currency')),
  fiscal_year_start_month: Number(data.get('fiscal_year_start_month')),
  week_starts_on: data.get('week_starts_on') as General['week_starts_on'],
})

const weekDays = Object.entries(workspaceTexts.weekDays).map(([value, label]) => ({ value, label }))

export function GeneralForm({ settings }: { settings: Settings }) {
  const me = useMe()
  const form = useRecordForm({
    record: settings,
    fieldsOf,
    readFields,
    send: (general, version) => updateSettings(version, { general }),
    reload: readSettings,
    onSaved: (saved) => {
      queryClient.setQueryData(settingsQuery.queryKey, saved)
      adoptSettings(me, saved)
    },
    describe: workspaceTexts.problem,
  })
  const { general } = form.base
  const { fields } = workspaceTexts
  const timeZones = useTimeZones(general.timezone)
  const choices = useMemo(
    () => ({
      locales: listLocales(general.locale),
      currencies: listCurrencies(general.currency),
      months: listMonths(),
    }),
    [general],
  )
  const errorOf = (name: keyof General) => form.errors[`general.${name}`]
  return (
    <form key={form.formKey} ref={form.element} className={styles.form} onSubmit={form.onSubmit}>
      <TextField
        label={fields.name}
        name="name"
        defaultValue={general.name}
        required
        maxLength={120}
        error={errorOf('name')}
      />
      <div className={styles.pair}>
        <SelectField
          label={fields.timezone}
          name="timezone"
          defaultValue={general.timezone}
          options={timeZones}
          error={errorOf('timezone')}
        />
        <SelectField
          label={fields.locale}
          name="locale"
          defaultValue={general.locale}
          options={choices.locales}
          error={errorOf('locale')}
        />
      </div>
      <SelectField
        label={fields.currency}
        name="currency"
        defaultValue={general.currency}
        options={choices.currencies}
        hint={workspaceTexts.currencyHint}
        error={errorOf('currency')}
      />
      <div className={styles.pair}>
        <SelectField
          label={fields.fiscal_year_start_month}
          name="fiscal_year_start_month"
          defaultValue={String(general.fiscal_year_start_month)}
          options={choices.months}
          error={errorOf('fiscal_year_start_month')}
        />
        <SelectField
          label={fields.week_starts_on}
          name="week_starts_on"
          defaultValue={general.week_starts_on}
          options={weekDays}
          error={errorOf('week_starts_on')}
        />
      </div>
      <FormMessage form={form} />
      <FormConflict form={form} labels={fields} />
      <div className={styles.formActions}>
        <Button type="submit" variant="primary" disabled={form.isPending}>
          {workspaceTexts.save}
        </Button>
      </div>
    </form>
  )
}
