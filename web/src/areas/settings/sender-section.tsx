import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../../api/queries.ts'
import { crmSettingsQuery } from '../../patterns/crm-settings-query.ts'
import { FormMessage, FormProblem } from '../../patterns/form-message.tsx'
import { ProblemState, Skeleton } from '../../patterns/states.tsx'
import { useForm } from '../../patterns/use-form.ts'
import { useMe } from '../../session/me.ts'
import { recordTexts } from '../../texts/en/record-texts.ts'
import { senderTexts as texts } from '../../texts/en/sender-texts.ts'
import { settingsTexts } from '../../texts/en/settings-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, TextArea, TextField } from '../../ui/field.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { showToast } from '../../ui/toast.tsx'
import { Card, SectionHeader } from './card.tsx'
import styles from './settings.module.css'
import { replaceSenderSettings, type SenderSettings, senderQuery } from './settings-queries.ts'

/** The rules for the user as a sender of cadences. */
export function SenderSection() {
  const { data, error, refetch } = useQuery(senderQuery)
  return (
    <>
      <SectionHeader title={settingsTexts.sections.sender} text={texts.text} />
      {error && !data ? (
        <ProblemState error={error} part={texts.part} retry={() => void refetch()} />
      ) : data ? (
        <SenderForm settings={data} />
      ) : (
        <Skeleton rows={5} />
      )}
    </>
  )
}

const readText = (data: FormData, name: string) => String(data.get(name)).replaceAll('\r\n', '\n').trim() || null

function SenderForm({ settings }: { settings: SenderSettings }) {
  const { locale } = useMe()
  const { data: workspace } = useQuery(crmSettingsQuery)
  const [away, setAway] = useState({ from: settings.away_from ?? '', to: settings.away_to ?? '' })
  const { from, to } = away
  const problem = Boolean(from) !== Boolean(to) ? texts.both : from && to < from ? texts.order : undefined
  const [isChecked, setChecked] = useState(false)
  const form = useForm(async (data) => {
    setChecked(true)
    if (problem) return
    const limit = readText(data, 'daily_limit')
    const saved = await replaceSenderSettings({
      signature: readText(data, 'signature'),
      daily_limit: limit === null ? null : Number(limit),
      away_from: from || null,
      away_to: to || null,
      others_may_enroll: data.has('others_may_enroll'),
    })
    queryClient.setQueryData(senderQuery.queryKey, saved)
    showToast(recordTexts.saved)
  })
  const limit = workspace?.sending.daily_limit_per_sender
  return (
    <form className={styles.form} onSubmit={form.onSubmit}>
      <Card title={texts.card}>
        <TextArea
          label={texts.signature}
          name="signature"
          maxLength={2_000}
          defaultValue={settings.signature ?? ''}
          hint={texts.signatureHint}
          error={form.errors.signature}
        />
        <div className={styles.pair}>
          <TextField
            label={texts.limit}
            name="daily_limit"
            type="number"
            min={1}
            max={limit ?? 100_000}
            defaultValue={settings.daily_limit === null ? '' : String(settings.daily_limit)}
            hint={limit === undefined ? undefined : texts.limitHint(formatNumber(limit, locale))}
            error={form.errors.daily_limit}
          />
        </div>
      </Card>
      <Card title={texts.away} text={texts.awayText}>
        <div className={styles.pair}>
          <TextField
            label={texts.awayFrom}
            type="date"
            value={from}
            onChange={({ target }) => setAway({ ...away, from: target.value })}
            error={form.errors.away_from}
          />
          <TextField
            label={texts.awayTo}
            type="date"
            value={to}
            min={from}
            onChange={({ target }) => setAway({ ...away, to: target.value })}
            error={form.errors.away_to}
          />
        </div>
        {problem && isChecked && <FormProblem>{problem}</FormProblem>}
        {from && to && !problem && (
          <p className={styles.soft} role="status">
            {texts.isAway(formatDate(from, locale), formatDate(to, locale))}
          </p>
        )}
        {(from || to) && (
          <div className={styles.formActions}>
            <Button onClick={() => setAway({ from: '', to: '' })}>{texts.clearAway}</Button>
          </div>
        )}
      </Card>
      <Card title={texts.others}>
        <Checkbox label={texts.othersMayEnroll} name="others_may_enroll" defaultChecked={settings.others_may_enroll} />
        <p className={styles.soft}>{texts.othersHint}</p>
      </Card>
      <FormMessage form={form} />
      <div className={styles.formActions}>
        <Button type="submit" variant="primary" disabled={form.isPending}>
          {texts.save}
        </Button>
      </div>
    </form>
  )
}
