import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { isProblem } from '../../../api/problem.ts'
import { BackLink } from '../../../patterns/record/back-link.tsx'
import { NoPermissionPage, NotFoundState, ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { useCommands } from '../../../session/commands.ts'
import { searchOfList } from '../../../session/list-places.ts'
import { can, useMe } from '../../../session/me.ts'
import { cadenceTexts as texts } from '../../../texts/en/cadence-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { cadenceQuery } from '../cadence-queries.ts'
import styles from './cadence.module.css'
import { CadenceRecord } from './cadence-record.tsx'
import { useCadenceSearch } from './cadence-search.ts'

export function CadencePage() {
  const me = useMe()
  return can(me, 'cadences.read') ? <OpenCadence /> : <NoPermissionPage area={texts.area} scope="cadences.read" />
}

function OpenCadence() {
  const { cadenceId = '' } = useParams({ strict: false })
  const { search, change } = useCadenceSearch()
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(cadenceQuery(cadenceId))
  const list = searchOfList('/cadences', location.pathname)
  const leave = () => void navigate({ to: '/cadences' as '/', search: list as never })
  useCommands([
    {
      id: 'cadence:close',
      label: recordTexts.close,
      group: texts.group,
      keys: ['Escape'],
      isListed: false,
      run: () => (search.step ? change({ step: undefined }) : leave()),
    },
  ])
  if (data) return <CadenceRecord key={cadenceId} cadence={data} {...{ search, change, list, leave }} />
  const isUnknown = isProblem(error) && [404, 422].includes(error.status)
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <BackLink to="/cadences" search={list} label={texts.title} />
      </div>
      <h1 className="visually-hidden">{texts.title}</h1>
      {isUnknown ? (
        <NotFoundState title={texts.notFound} />
      ) : error ? (
        <ProblemState error={error} part={texts.cadence} retry={() => void refetch()} />
      ) : (
        <Skeleton rows={10} />
      )}
    </div>
  )
}
