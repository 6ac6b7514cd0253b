import { Link } from '@tanstack/react-router'
import { ChevronRight, Inbox, LogOut, Trash2, UserRoundCog } from 'lucide-react'
import { signOut } from '../../api/session.ts'
import { can, useMe } from '../../session/me.ts'
import { settingsTexts } from '../../texts/en/settings-texts.ts'
import styles from './settings.module.css'

/** A phone has no side navigation: this page is its menu. */
export function PhoneLinks() {
  const me = useMe()
  return (
    <>
      <h2>{settingsTexts.more}</h2>
      {can(me, 'users.read') && (
        <Link to="/people" className={styles.link}>
          <UserRoundCog size={16} />
          <span>{settingsTexts.people}</span>
          <ChevronRight size={16} className={styles.arrow} />
        </Link>
      )}
      {can(me, 'leads.delete') && (
        <Link to={'/trash' as '/'} className={styles.link}>
          <Trash2 size={16} />
          <span>{settingsTexts.trash}</span>
          <ChevronRight size={16} className={styles.arrow} />
        </Link>
      )}
      <Link to={'/inbox' as '/'} className={styles.link}>
        <Inbox size={16} />
        <span>{settingsTexts.inbox}</span>
        <ChevronRight size={16} className={styles.arrow} />
      </Link>
      <button type="button" className={styles.link} onClick={() => void signOut()}>
        <LogOut size={16} />
        <span>{settingsTexts.signOut}</span>
      </button>
    </>
  )
}
