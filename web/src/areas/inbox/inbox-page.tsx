import { getRouteApi, Link } from '@tanstack/react-router'
import { Bell, CheckCheck } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { PageHeader } from '../../patterns/page-header.tsx'
import { ProblemState, Skeleton, State } from '../../patterns/states.tsx'
import { useCommands } from '../../session/commands.ts'
import { useMe } from '../../session/me.ts'
import { inboxTexts } from '../../texts/en/inbox-texts.ts'
import { Button } from '../../ui/button.tsx'
import styles from './inbox.module.css'
import { useMarkRead, useNotifications } from './inbox-queries.ts'
import { NotificationRow } from './notification-row.tsx'

const route = getRouteApi('/inbox')

export function InboxPage() {
  const { unread = false } = route.useSearch()
  const { unread_notifications: unreadCount } = useMe()
  const { mutate: mark, isPending } = useMarkRead()
  const list = useRef<HTMLUListElement>(null)
  const markAll = () => mark({ all: true })
  useInboxCommands(list, { markAll, markRead: (id) => mark({ ids: [id] }), canMark: unreadCount > 0 })
  return (
    <>
      <PageHeader
        title={inboxTexts.title}
        tabs={<Filter />}
        actions={
          unreadCount > 0 && (
            <Button icon={<CheckCheck size={15} />} keys="Shift+e" disabled={isPending} onClick={markAll}>
              {inboxTexts.markAll}
            </Button>
          )
        }
      />
      <Notifications isUnread={unread} list={list} markRead={(id) => mark({ ids: [id] })} />
    </>
  )
}

const Filter = () => (
  <nav className={styles.filter} aria-label={inboxTexts.filter}>
    <Link to="/inbox" search={{}} activeOptions={{ exact: true }} activeProps={{ 'aria-current': 'true' }}>
      {inboxTexts.all}
    </Link>
    <Link to="/inbox" search={{ unread: true }} activeProps={{ 'aria-current': 'true' }}>
      {inboxTexts.unread}
    </Link>
  </nav>
)

function Notifications({
  isUnread,
  list,
  markRead,
}: {
  isUnread: boolean
  list: RefObject<HTMLUListElement | null>
  markRead: (id: string) => void
}) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useNotifications(isUnread)
  if (!data)
    return error ? (
      <ProblemState error={error} part={inboxTexts.list} retry={() => void refetch()} />
    ) : (
      <Skeleton rows={10} />
    )
  const notifications = data.pages.flatMap(({ items }) => items)
  if (notifications.length === 0)
    return isUnread ? (
      <State
        icon={<CheckCheck size={20} />}
        hue="success"
        title={inboxTexts.allRead}
        actions={
          <Link to="/inbox" search={{}} className={styles.showAll}>
            {inboxTexts.showAll}
          </Link>
        }
      >
        {inboxTexts.allReadText}
      </State>
    ) : (
      <State icon={<Bell size={20} />} hue="info" title={inboxTexts.empty}>
        {inboxTexts.emptyText}
      </State>
    )
  return (
    <div className={styles.page}>
      <ul ref={list} className={styles.list} aria-label={inboxTexts.list}>
        {notifications.map((notification) => (
          <NotificationRow key={notification.id} notification={notification} markRead={markRead} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="quiet" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {inboxTexts.showMore}
        </Button>
      )}
    </div>
  )
}

type InboxActions = { markAll: () => void; markRead: (id: string) => void; canMark: boolean }

/** Moves the focus through the list by keys, and marks the notification that has it. */
function useInboxCommands(
  list: RefObject<HTMLUListElement | null>,
  { markAll, markRead, canMark }: InboxActions,
): void {
  const titles = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-notification]') ?? [])]
  const focused = () => titles().findIndex((title) => title.closest('li')?.contains(document.activeElement))
  const move = (by: number) => {
    const all = titles()
    all[Math.max(0, Math.min(all.length - 1, focused() + by))]?.focus()
  }
  const group = inboxTexts.title
  useCommands([
    { id: 'list:next', label: inboxTexts.next, group, keys: ['j'], isListed: false, run: () => move(1) },
    { id: 'list:previous', label: inboxTexts.previous, group, keys: ['k'], isListed: false, run: () => move(-1) },
    {
      id: 'inbox:read',
      label: inboxTexts.markRead,
      group,
      keys: ['e'],
      isListed: false,
      run: () => {
        const id = titles()[focused()]?.dataset.notification
        if (id) markRead(id)
      },
    },
    {
      id: 'inbox:read-all',
      label: inboxTexts.markAll,
      group,
      keys: ['Shift+e'],
      icon: <CheckCheck size={17} />,
      isAvailable: canMark,
      run: markAll,
    },
  ])
}
