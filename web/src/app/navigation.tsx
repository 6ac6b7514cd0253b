import { Link, useLocation } from '@tanstack/react-router'
import {
  Columns3,
  House,
  Inbox,
  Menu as MenuIcon,
  Search,
  Settings,
  Trash2,
  UserRoundCog,
  UsersRound,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { searchOfList } from '../session/list-places.ts'
import { can, type Me, useMe } from '../session/me.ts'
import { shellTexts } from '../texts/en/shell-texts.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Kbd } from '../ui/kbd.tsx'
import styles from './shell.module.css'
import { UserMenu } from './user-menu.tsx'

type Entry = { to: string; label: string; icon: ReactNode; scope?: Me['scopes'][number] }

const home: Entry = { to: '/', label: shellTexts.home, icon: <House size={16} /> }
const inbox: Entry = { to: '/inbox', label: shellTexts.inbox, icon: <Inbox size={16} /> }
const leads: Entry = { to: '/leads', label: shellTexts.leads, icon: <UsersRound size={16} />, scope: 'leads.read' }
const deals: Entry = {
  to: '/deals',
  label: shellTexts.deals,
  icon: <Columns3 size={16} />,
  scope: 'opportunities.read',
}
const people: Entry = { to: '/people', label: shellTexts.people, icon: <UserRoundCog size={16} />, scope: 'users.read' }
const trash: Entry = { to: '/trash', label: shellTexts.trash, icon: <Trash2 size={16} />, scope: 'leads.delete' }
const settings: Entry = { to: '/settings', label: shellTexts.settings, icon: <Settings size={16} /> }

export function Navigation({ openMenu }: { openMenu: () => void }) {
  const me = useMe()
  return (
    <nav className={styles.nav} aria-label={shellTexts.navigation}>
      <div className={styles.workspace}>
        <WorkspaceMark />
        <span>{me.tenant.name}</span>
      </div>
      <button type="button" className={styles.find} onClick={openMenu}>
        <Search size={15} />
        <span>{shellTexts.search}</span>
        <Kbd keys="Mod+k" />
      </button>
      <NavigationLink entry={home} />
      <NavigationLink entry={inbox} count={me.unread_notifications} />
      <h2>{shellTexts.sell}</h2>
      <NavigationLink entry={leads} />
      <NavigationLink entry={deals} />
      <h2>{shellTexts.workspace}</h2>
      <NavigationLink entry={people} />
      <NavigationLink entry={trash} />
      <NavigationLink entry={settings} />
      <div className={styles.me}>
        <Avatar name={me.name} size="medium" />
        <div>
          <b>{me.name}</b>
          <small>{shellTexts.roles[me.role]}</small>
        </div>
        <UserMenu />
      </div>
    </nav>
  )
}

const WorkspaceMark = () => (
  <span className={styles.mark} aria-hidden="true">
    <svg
      width="14"
      height="14"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.6"
      strokeLinecap="round"
    >
      <title>Tributary</title>
      <path d="M5 3c0 5 7 6 7 11m7-11c0 5-7 6-7 11m0 0v7" />
    </svg>
  </span>
)

function NavigationLink({ entry: { to, label, icon, scope }, count = 0 }: { entry: Entry; count?: number }) {
  const me = useMe()
  const { pathname } = useLocation()
  if (scope && !can(me, scope)) return null
  return (
    <Link
      to={to}
      search={searchOfList(to, pathname)}
      className={styles.link}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      activeProps={{ 'aria-current': 'page' }}
      title={label}
    >
      {icon}
      <span>{label}</span>
      {count > 0 && (
        <span className={styles.count}>
          {count}
          <span className="visually-hidden"> {shellTexts.unread}</span>
        </span>
      )}
    </Link>
  )
}

export function Dock({ openMenu }: { openMenu: () => void }) {
  const me = useMe()
  const { pathname } = useLocation()
  const entries = [home, leads, deals].filter(({ scope }) => !scope || can(me, scope))
  return (
    <nav className={styles.dock} aria-label={shellTexts.navigation}>
      {entries.map(({ to, label, icon }) => (
        <Link
          key={to}
          to={to}
          search={searchOfList(to, pathname)}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          {icon}
          {label}
        </Link>
      ))}
      <button type="button" onClick={openMenu}>
        <Search size={16} />
        {shellTexts.find}
      </button>
      <Link to={settings.to} activeProps={{ 'aria-current': 'page' }}>
        <MenuIcon size={16} />
        {shellTexts.menu}
        {me.unread_notifications > 0 && <i className={styles.unread} />}
      </Link>
    </nav>
  )
}
