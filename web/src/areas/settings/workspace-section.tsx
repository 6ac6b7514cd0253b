import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { describeTimeZone } from '../../patterns/choices/time-zones.ts'
import { ProblemState, Skeleton } from '../../patterns/states.tsx'
import { can, useMe } from '../../session/me.ts'
import { settingsTexts, workspaceTexts } from '../../texts/en/settings-texts.ts'
import { BrandingForm } from './branding-form.tsx'
import { Card, SectionHeader } from './card.tsx'
import { listCurrencies, listLocales, listMonths } from './choices.ts'
import { GeneralForm } from './general-form.tsx'
import styles from './settings.module.css'
import { settingsQuery } from './settings-queries.ts'
import { SignOutAllCard } from './sign-out-all-card.tsx'

export function WorkspaceSection() {
  const me = useMe()
  return (
    <>
      <SectionHeader title={settingsTexts.sections.workspace} text={workspaceTexts.text} />
      {can(me, 'admin.write') ? <WorkspaceForms /> : <WorkspaceValues />}
    </>
  )
}

function WorkspaceForms() {
  const me = useMe()
  const { data, error, refetch } = useQuery(settingsQuery)
  if (error) return <ProblemState error={error} part={settingsTexts.part} retry={() => void refetch()} />
  if (!data) return <Skeleton rows={6} />
  return (
    <>
      <Card title={workspaceTexts.general} text={workspaceTexts.generalText}>
        <GeneralForm settings={data} />
      </Card>
      <Card title={workspaceTexts.branding} text={workspaceTexts.brandingText}>
        <BrandingForm settings={data} />
      </Card>
      {can(me, 'users.delete') && !me.impersonation && <SignOutAllCard />}
    </>
  )
}

/** The values for users who cannot change them. */
function WorkspaceValues() {
  const { name, general } = useMe().tenant
  const { fields } = workspaceTexts
  const labelOf = (options: readonly { value: string; label: string }[], value: string) =>
    options.find((option) => option.value === value)?.label ?? value
  const values = [
    [fields.name, name],
    [fields.timezone, describeTimeZone(general.timezone)],
    [fields.locale, labelOf(listLocales(general.locale), general.locale)],
    [fields.currency, labelOf(listCurrencies(general.currency), general.currency)],
    [fields.fiscal_year_start_month, labelOf(listMonths(), String(general.fiscal_year_start_month))],
    [fields.week_starts_on, workspaceTexts.weekDays[general.week_starts_on]],
  ]
  return (
    <Card title={workspaceTexts.general}>
      <p className={styles.readOnly}>
        <Lock size={15} />
        {workspaceTexts.readOnly}
      </p>
      <dl className={styles.values}>
        {values.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
