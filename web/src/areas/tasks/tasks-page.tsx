import { Check } from 'lucide-react'
import { listCadenceTasks, listOpenTasks } from '../../api/access.gen.ts'
import { PageHeader } from '../../patterns/page-header.tsx'
import { NoPermissionPage, ProblemState, Skeleton, State } from '../../patterns/states.tsx'
import { may, useMe } from '../../session/me.ts'
import { openTaskTexts as texts } from '../../texts/en/open-task-texts.ts'
import { stateTexts } from '../../texts/en/state-texts.ts'
import { Button } from '../../ui/button.tsx'
import { joinTasks, type ReadList } from './join-tasks.ts'
import { TaskList } from './task-list.tsx'
import { useActivityTasks, useCadenceTasks } from './task-queries.ts'
import styles from './tasks.module.css'

/** Lists what the user has to do, with the tasks of cadences. */
export function TasksPage() {
  const me = useMe()
  if (!may(me, listOpenTasks))
    return (
      <NoPermissionPage area={texts.title} scope={listOpenTasks.scopes.find((scope) => !me.scopes.includes(scope))!} />
    )
  return (
    <>
      <PageHeader title={texts.title} />
      <OpenTasks />
    </>
  )
}

function OpenTasks() {
  const me = useMe()
  const activities = useActivityTasks()
  const ofCadences = useCadenceTasks(may(me, listCadenceTasks))
  if (activities.error && !activities.data)
    return <ProblemState error={activities.error} part={texts.list} retry={() => void activities.refetch()} />
  if (!activities.data || ofCadences.isLoading) return <Skeleton rows={10} />
  const rows = joinTasks(toList(activities), toList(ofCadences))
  const hasMore = activities.hasNextPage || ofCadences.hasNextPage
  const showMore = () => {
    for (const list of [activities, ofCadences]) if (list.hasNextPage) void list.fetchNextPage()
  }
  return (
    <div className={styles.page}>
      {ofCadences.error && (
        <p className={styles.failed} role="alert">
          {texts.cadencesFailed}
          <Button size="small" onClick={() => void ofCadences.refetch()}>
            {stateTexts.retry}
          </Button>
        </p>
      )}
      {rows.length > 0 ? (
        <TaskList rows={rows} />
      ) : (
        <State icon={<Check size={20} />} hue="success" title={texts.empty}>
          {texts.emptyText}
        </State>
      )}
      {hasMore && (
        <Button
          variant="quiet"
          className={styles.showMore}
          disabled={activities.isFetchingNextPage || ofCadences.isFetchingNextPage}
          onClick={showMore}
        >
          {texts.showMore}
        </Button>
      )}
    </div>
  )
}

type Paged<Item> = { data?: { pages: readonly { items: Item[] }[] }; hasNextPage: boolean }

const toList = <Item,>({ data, hasNextPage }: Paged<Item>): ReadList<Item> => ({
  items: data?.pages.flatMap(({ items }) => items) ?? [],
  hasMore: hasNextPage,
})
