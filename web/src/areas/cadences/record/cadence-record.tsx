import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ErrorState } from '../../../patterns/error-state.tsx'
import { PageTabs } from '../../../patterns/page-tabs.tsx'
import { Skeleton } from '../../../patterns/states.tsx'
import { useMe } from '../../../session/me.ts'
import { cadenceTexts as texts } from '../../../texts/en/cadence-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { Cadence } from '../cadence-queries.ts'
import { statsQuery } from '../cadence-queries.ts'
import { StepsPart } from '../steps/steps-part.tsx'
import { useSteps } from '../steps/use-steps.ts'
import { useVariables } from '../steps/variables.ts'
import { CadenceHead } from './cadence-head.tsx'
import { CadenceNotice } from './cadence-notice.tsx'
import { type CadenceSearch, type ChangeSearch, cadenceTabs } from './cadence-search.ts'

const options = {
  waiting: <Skeleton rows={8} />,
  renderFailure: (error: unknown) => <ErrorState error={error} />,
}
const PeoplePart = lazyPart(() => import('../people/people-part.tsx'), 'PeoplePart', options)
const ResultsPart = lazyPart(() => import('../results/results-part.tsx'), 'ResultsPart', options)
const SettingsPart = lazyPart(() => import('../settings/settings-part.tsx'), 'SettingsPart', options)

type RecordProps = {
  cadence: Cadence
  search: CadenceSearch
  change: ChangeSearch
  list: object
  leave: () => void
}

export function CadenceRecord({ cadence, search, change, list, leave }: RecordProps) {
  const { locale } = useMe()
  const { id, enrolled_count: enrolled, live_count: live, owner } = cadence
  const tab = search.tab ?? 'steps'
  const isShown = tab === 'steps'
  const { values, known } = useVariables(isShown && search.step !== undefined)
  const stats = useQuery({ ...statsQuery(id), enabled: isShown && enrolled > 0 })
  const waiting = useMemo(() => new Map(stats.data?.steps.map((step) => [step.step_id, step.waiting])), [stats.data])
  const steps = useSteps(cadence, {
    known,
    waitingIn: (stepId) => (live === 0 ? 0 : stats.data ? (waiting.get(stepId) ?? 0) : undefined),
  })
  const counts = { steps: steps.edits.steps.length, people: enrolled, results: 0, settings: 0 }
  const tabs = cadenceTabs.map((key) => ({
    key,
    label: texts.tabs[key],
    count: counts[key] > 0 ? formatNumber(counts[key], locale) : undefined,
    search: key === 'steps' ? {} : { tab: key },
  }))
  return (
    <>
      <CadenceHead {...{ cadence, steps, list, leave, change }} />
      <PageTabs label={texts.tabList} tabs={tabs} current={tab}>
        {[texts.inIt(live, formatNumber(live, locale)), owner?.name].filter(Boolean).join(' · ')}
      </PageTabs>
      <CadenceNotice cadence={cadence} />
      {tab === 'steps' && (
        <StepsPart {...{ cadence, steps, values, change }} stats={stats.data} openKey={search.step} waiting={waiting} />
      )}
      {tab === 'people' && <PeoplePart {...{ cadence, search, change }} />}
      {tab === 'results' && <ResultsPart cadence={cadence} />}
      {tab === 'settings' && <SettingsPart cadence={cadence} />}
    </>
  )
}
