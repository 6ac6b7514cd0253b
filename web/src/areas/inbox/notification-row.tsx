import { Link } from '@tanstack/react-router'
import {
  Bell,
  CircleAlert,
  DoorOpen,
  GraduationCap,
  Library,
  MessagesSquare,
  Star,
  UsersRound,
  Video,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useNow } from '../../patterns/use-now.ts'
import { useMe } from '../../session/me.ts'
import { inboxTexts } from '../../texts/en/inbox-texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatDateTime, formatSince } from '../../ui/format.ts'
import styles from './inbox.module.css'
import type { Notification } from './inbox-queries.ts'
import { toPlainText } from './plain-text.ts'

/** Icons by the first part of the kind, such as `lead` in `lead.assigned`. */
const icons: Readonly<Record<string, ReactNode>> = {
  lead: <UsersRound size={16} />,
  room: <DoorOpen size={16} />,
  content: <Library size={16} />,
  thread: <MessagesSquare size={16} />,
  survey: <Star size={16} />,
  learning: <GraduationCap size={16} />,
  pitch: <Video size={16} />,
  webhook_endpoint: <CircleAlert size={16} />,
}

export function NotificationRow({
  notification,
  markRead,
}: {
  notification: Notification
  markRead: (id: string) => void
}) {
  const { locale } = useMe()
  const now = useNow()
  const { id, kind, title, body, path, read_at, created_at } = notification
  const isUnread = read_at === null
  return (
    <li className={`${styles.row} ${isUnread ? styles.unread : ''}`}>
      <span className={styles.icon} aria-hidden="true">
        {icons[kind.split('.')[0]!] ?? <Bell size={16} />}
      </span>
      <div className={styles.text}>
        <p className={styles.title}>
          {isUnread && <span className="visually-hidden">{inboxTexts.isUnread} </span>}
          {path ? (
            <Link to={path} data-notification={id} onClick={() => isUnread && markRead(id)}>
              {title}
            </Link>
          ) : (
            <span tabIndex={-1} data-notification={id}>
              {title}
            </span>
          )}
        </p>
        {body && <p className={styles.body}>{toPlainText(body)}</p>}
      </div>
      <time dateTime={created_at} title={formatDateTime(created_at, locale)} className={styles.time}>
        {formatSince(created_at, now, locale)}
      </time>
      {isUnread && (
        <Button
          size="small"
          variant="quiet"
          className={styles.mark}
          aria-label={inboxTexts.markOneRead(title)}
          onClick={() => markRead(id)}
        >
          {inboxTexts.markRead}
        </Button>
      )}
    </li>
  )
}
